/** The steps of verifying a change, in order; `clean-room` and `added-tests` only if the change needs them. */
export const CHANGE_STEPS = ['reading', 'custody', 'head', 'base', 'clean-room', 'added-tests'] as const

export type ChangeStep = (typeof CHANGE_STEPS)[number]

export const CHANGE_STEP_WORDS: Readonly<Record<ChangeStep, string>> = {
  reading: 'Reading both sides',
  custody: 'Looking for removed tests and weakened checks',
  head: 'Running the checks on head',
  base: 'Running the checks on the base',
  'clean-room': 'Running the checks again with the base’s check files',
  'added-tests': 'Running the added tests on the base',
}
