import type { Answer } from '../../core/channels/answer.ts'
import type { Channel, ChannelRules, ChannelView } from '../../core/channels/channel.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import type { Notification } from './notifier.ts'

/** What a heartbeat has come to, for those who watch the watcher. */
export interface HeartbeatSign {
  readonly workspace: string
  readonly sign: 'start' | 'success' | 'fail' | 'log'
  /** In words. */
  readonly text: string
}

/** The ways in which the operator is notified where he is. Nothing is sent that was not set up, and nothing waits for a sending. */
export interface Channels {
  list(): readonly (ChannelView & { readonly last: Receipt | null })[]
  /** Adds or replaces the channel of this name. Rejects where it cannot be kept. */
  put(channel: Channel): Promise<ChannelView>
  /** Changes what it is notified of, its address stays; `null`: there is none of this name. Rejects with a `RequestProblem` what does not fit its type. */
  change(rules: ChannelRules): Promise<ChannelView | null>
  /** False: there is none of this name. */
  remove(name: string): Promise<boolean>
  /** Sends a test at once, once, and says what came of it; `null`: there is none of this name. */
  test(name: string): Promise<Receipt | null>
  /** Newest first. */
  receipts(limit: number): readonly Receipt[]
  notify(notification: Notification): void
  /** Sends each channel that wants reports what `compose` makes of its workspaces (none: all); `null`: nothing. */
  report(
    compose: (workspaces: readonly string[]) => { readonly title: string; readonly body: string } | null,
  ): void
  /** Whether a request of this workspace's agent would reach somebody who can answer it from there, now. */
  canAsk(workspace: string): boolean
  /** What the button with this code stands for, once; `null`: it was used, is too old, or none of this host's. */
  takeAnswer(code: string): { readonly answer: Answer; readonly channel: string } | null
  heartbeat(sign: HeartbeatSign): void
  /** Tries what waits once more, for a moment, and ends. */
  stop(): Promise<void>
}
