/**
 * Where the policy of a change comes from: the base commit, a file given by the operator, or the test runners detected in the
 * base.
 */
export const POLICY_SOURCES = ['base', 'file', 'detected'] as const
export type PolicySource = (typeof POLICY_SOURCES)[number]
