/** The most characters of a description sent to a host. */
export const MAX_DESCRIPTION = 200_000
/** The most characters in the name of a branch, a tag or a commit. */
export const MAX_REVISION = 500
