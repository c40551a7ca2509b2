import type { StoreApi } from 'zustand/vanilla'
import type { ApiClient } from '../../../api/client.ts'
import type { HostStatus, KnownWorkspace } from '../../../api/schemas/host.ts'
import type { SettingsDocument, Theme } from '../../../api/schemas/settings.ts'
import type { PermissionRequest } from '../../../core/read-model/permission.ts'
import type { Workspace, WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { PermissionAnswer } from '../../../core/vocabulary/permission.ts'
import type { Thumb } from '../../../core/vocabulary/task.ts'
import type { Problem } from '../api-client/problem.ts'
import type { Toast } from '../ui/toasts.tsx'
import type { PendingFeedback } from './feedback.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** The page's connection to the host. */
type Connection =
  /** No answer has arrived yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  /** The host was lost; the page may show old data. `retryAtMs` is the time of the next try. */
  | { readonly kind: 'lost'; readonly retryAtMs: number; readonly problem: Problem }

/** A message that was shown as a toast, kept to be read again. */
export interface Said extends Pick<Toast, 'id' | 'tone' | 'text' | 'address' | 'addressLabel'> {
  /** ISO 8601. */
  readonly at: string
}

export interface AppData {
  readonly connection: Connection
  readonly version: string | null
  /** The page is read-only: the host refuses all changes. */
  readonly readsOnly: boolean
  /** The host is the center of a fleet. */
  readonly isCentre: boolean
  /** Counts changes in the host's fleet since the page was opened; each triggers a new fetch. */
  readonly fleetChanges: number
  /** Counts the progress of verifications of changes since the page was opened; each step triggers a new fetch. */
  readonly changeUpdates: number
  /** In the host's order; for the sidebar. */
  readonly workspaces: readonly Workspace[]
  /** Known to the host, but not open yet. */
  readonly opening: readonly KnownWorkspace[]
  /** Known to the host, which could not open them. */
  readonly unopened: HostStatus['unopened']
  /** The workspace on screen: the host sends it in full whenever it changes. */
  readonly watchedId: string | null
  readonly details: Readonly<Record<string, WorkspaceDetail>>
  /** The number of the latest version of each shown workspace: a later answer may contain an older one. */
  readonly lookNumbers: Readonly<Record<string, number>>
  /** Why a detail could not be fetched. */
  readonly detailProblems: Readonly<Record<string, Problem>>
  /** Live output of running attempts, by attempt id. */
  readonly outputs: Readonly<Record<string, OutputBuffer>>
  readonly pendingFeedback: PendingFeedback
  readonly toasts: readonly Toast[]
  /** The latest messages, newest first, including those no longer shown as toasts. */
  readonly said: readonly Said[]
  /** How many of them arrived since the operator last looked. */
  readonly unread: number
  /** Permission requests of all workspaces, oldest first. */
  readonly permissions: readonly PermissionRequest[]
  /** The settings of the whole app; `null` until they are loaded. */
  readonly settings: SettingsDocument | null
  /** Counts checks for updates since the page was opened; a change fetches the status of updates again. */
  readonly looksForUpdates: number
}

export interface AppActions {
  /** Shows a workspace (or none) and keeps its detail up to date. */
  watch(id: string | null): void
  /** Fetches the sidebar and the watched workspace again. Never rejects. */
  refresh(): Promise<void>
  /** Fetches the watched workspace again. Never rejects. */
  refreshWatched(): Promise<void>
  retryConnection(): void
  runNow(id: string): Promise<void>
  /** Stops what is running without scoring it. */
  stopNow(id: string): Promise<void>
  pause(id: string, until: string | null): Promise<void>
  resume(id: string): Promise<void>
  giveFeedback(id: string, attemptId: string, feedback: Thumb): Promise<void>
  /** Marks one contradiction of a workspace as reviewed, or all of them (`null`); a toast offers to undo it for 10 s. Never rejects. */
  markSeen(workspaceId: string, id: string | null): Promise<void>
  /** Reviews an attempt's contradiction when it is opened. Never rejects. */
  attemptOpened(workspaceId: string, attemptId: string): Promise<void>
  showToast(toast: Omit<Toast, 'id'>): void
  dismissToast(id: number): void
  /** Marks all messages as read. */
  readSaid(): void
  /** Deletes all messages. */
  clearSaid(): void
  /** Fetches the permission requests again. Never rejects. */
  refreshPermissions(): Promise<void>
  /** Answers a permission request, this time only. Shows a message if the answer could not be applied. Never rejects. */
  answerPermission(id: string, answer: PermissionAnswer): Promise<void>
  /** Takes in the settings as fetched or changed. */
  settingsArrived(settings: SettingsDocument): void
  /** Changes the app's theme; a toast offers to undo it. Never rejects. */
  setTheme(theme: Theme): Promise<void>
  /** Fetches the settings again. Never rejects. */
  refreshSettings(): Promise<void>
}

export interface AppState extends AppData, AppActions {
  readonly api: ApiClient
  /** This page's id for its stream of live events. */
  readonly stream: string
}

export type AppStore = StoreApi<AppState>

export const INITIAL_DATA: AppData = {
  connection: { kind: 'connecting' },
  version: null,
  readsOnly: false,
  isCentre: false,
  fleetChanges: 0,
  changeUpdates: 0,
  workspaces: [],
  opening: [],
  unopened: [],
  watchedId: null,
  details: {},
  lookNumbers: {},
  detailProblems: {},
  outputs: {},
  pendingFeedback: {},
  toasts: [],
  said: [],
  unread: 0,
  permissions: [],
  settings: null,
  looksForUpdates: 0,
}
