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

/** The connection of the page to the host. */
type Connection =
  /** The first answer has not come yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  /** The host was lost; what is shown may be old. `retryAtMs` is when it is tried again. */
  | { readonly kind: 'lost'; readonly retryAtMs: number; readonly problem: Problem }

/** What was said at the foot of the page, kept to be read again. */
export interface Said extends Pick<Toast, 'id' | 'tone' | 'text' | 'address' | 'addressLabel'> {
  /** ISO 8601. */
  readonly at: string
}

export interface AppData {
  readonly connection: Connection
  readonly version: string | null
  /** This page may look only: the host refuses whatever changes something. */
  readonly readsOnly: boolean
  /** The host is the centre of a fleet. */
  readonly isCentre: boolean
  /** How often something of its fleet has changed since the page was opened: what is shown of it is fetched again. */
  readonly fleetChanges: number
  /** How often a verification of a change has moved on since the page was opened: what is shown of it is fetched again. */
  readonly changeUpdates: number
  /** In the host's order; for the sidebar. */
  readonly workspaces: readonly Workspace[]
  /** Known to the host, and not open yet. */
  readonly opening: readonly KnownWorkspace[]
  /** Known to the host, which could not open them. */
  readonly unopened: HostStatus['unopened']
  /** The workspace on screen: the host sends it whole whenever it changes. */
  readonly watchedId: string | null
  readonly details: Readonly<Record<string, WorkspaceDetail>>
  /** Number of the latest look at a workspace that is shown: an answer that comes later may be older. */
  readonly lookNumbers: Readonly<Record<string, number>>
  /** Why a detail could not be fetched. */
  readonly detailProblems: Readonly<Record<string, Problem>>
  /** Output of running attempts as it comes, by attempt id. */
  readonly outputs: Readonly<Record<string, OutputBuffer>>
  readonly pendingFeedback: PendingFeedback
  readonly toasts: readonly Toast[]
  /** The latest messages, newest first, those that are gone from the foot of the page among them. */
  readonly said: readonly Said[]
  /** How many of them came since the operator last looked. */
  readonly unread: number
  /** What agents request permission for, of all workspaces, oldest first. */
  readonly permissions: readonly PermissionRequest[]
  /** Of the whole app; `null` until they have been fetched. */
  readonly settings: SettingsDocument | null
  /** Counts checks for updates since the page was opened; a change fetches the status of updates again. */
  readonly looksForUpdates: number
}

export interface AppActions {
  /** Shows a workspace (or none) and keeps its detail fresh. */
  watch(id: string | null): void
  /** Fetches sidebar and watched workspace again. Never rejects. */
  refresh(): Promise<void>
  /** Fetches the watched workspace again. Never rejects. */
  refreshWatched(): Promise<void>
  retryConnection(): void
  runNow(id: string): Promise<void>
  /** Ends what is running without scoring it. */
  stopNow(id: string): Promise<void>
  pause(id: string, until: string | null): Promise<void>
  resume(id: string): Promise<void>
  giveFeedback(id: string, attemptId: string, feedback: Thumb): Promise<void>
  /** Marks one contradiction of a workspace as reviewed, or all of them (`null`); undone at the foot of the page for 10 s. Never rejects. */
  markSeen(workspaceId: string, id: string | null): Promise<void>
  /** Opening an attempt reviews its contradiction. Never rejects. */
  attemptOpened(workspaceId: string, attemptId: string): Promise<void>
  showToast(toast: Omit<Toast, 'id'>): void
  dismissToast(id: number): void
  /** All that was said has been looked at. */
  readSaid(): void
  /** Forgets what was said. */
  clearSaid(): void
  /** Fetches what agents request permission for again. Never rejects. */
  refreshPermissions(): Promise<void>
  /** Answers a permission request, this time only. Shows a message if the answer could not be applied. Never rejects. */
  answerPermission(id: string, answer: PermissionAnswer): Promise<void>
  /** The settings as fetched or changed. */
  settingsArrived(settings: SettingsDocument): void
  /** Changes the theme of the app; undone at the foot of the page. Never rejects. */
  setTheme(theme: Theme): Promise<void>
  /** Fetches the settings again. Never rejects. */
  refreshSettings(): Promise<void>
}

export interface AppState extends AppData, AppActions {
  readonly api: ApiClient
  /** What this page calls its stream of live events. */
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
