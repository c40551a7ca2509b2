import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Errors any procedure may answer with. Everything else is INTERNAL_SERVER_ERROR, its cause only in the log. */
export const base = oc.errors({
  /** No such workspace, task or attempt; the message says what exists. */
  NOT_FOUND: { status: 404 },
  /** Several workspaces and none named, or a value that the rules refuse. */
  BAD_REQUEST: { status: 400 },
  /** Changed meanwhile, already running, not trusted: the state does not allow it now. */
  CONFLICT: { status: 409 },
  /** The file or agent cannot be had: missing folder, unreadable contract. */
  UNPROCESSABLE_CONTENT: { status: 422 },
  /** The data folder cannot be read or written, such as on a full disk; nothing was changed. The message has the remedy. */
  STORAGE_UNAVAILABLE: { status: 507 },
})

/** The input of everything that is asked of one workspace. */
export const workspaceInput = z.object({
  /** Workspace id; may be left out where there is only one. Over HTTP also `?workspace=ID`. */
  workspace: z.string().optional(),
})
