/** Characters of a description that is sent to a host. */
export const MAX_DESCRIPTION = 200_000
/** Characters of the name of a branch, a tag or a commit. */
export const MAX_REVISION = 500
