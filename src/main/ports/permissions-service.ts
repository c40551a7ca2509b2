import type { PermissionAnswer, PermissionRequest } from '../../api/schemas/permissions.ts'

/** What agents request permission for. */
export interface PermissionsService {
  /** Those that wait, oldest first, of one workspace or of all. */
  permissions(workspace: string | undefined): PermissionRequest[]
  /** Answers a request, for this once. Throws a `RequestProblem` where there is none, or it waits no more. */
  answerPermission(id: string, answer: PermissionAnswer): void
}
