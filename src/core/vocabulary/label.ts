/* Names and groups of workspaces: short words on one line. */

export const MAX_NAME_LENGTH = 80
export const MAX_TAG_LENGTH = 30
export const MAX_TAGS = 10
