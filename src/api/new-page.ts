/** In the address of a page that the desktop has begun anew: why. */
export const NEW_PAGE = 'again'

/** `ended`: its process was gone; `hung`: it did not answer, and the operator had it begun anew. */
export type NewPageReason = 'ended' | 'hung'
