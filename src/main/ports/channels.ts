import type { Answer } from '../../core/channels/answer.ts'
import type { Channel, ChannelRules, ChannelView } from '../../core/channels/channel.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import type { Notification } from './notifier.ts'

/** The result of a heartbeat, for uptime monitors. */
export interface HeartbeatSign {
  readonly workspace: string
  readonly sign: 'start' | 'success' | 'fail' | 'log'
  /** The result in words. */
  readonly text: string
}

/**
 * The channels that notify the operator outside the app. Nothing is sent to a channel that was not set up, and nothing waits
 * for a message to be sent.
 */
export interface Channels {
  list(): readonly (ChannelView & { readonly last: Receipt | null })[]
  /** Adds or replaces the channel of this name. Rejects if it can't be saved. */
  put(channel: Channel): Promise<ChannelView>
  /**
   * Changes what it is notified about; its address stays. `null`: no channel of this name. Rejects with a `RequestProblem` if
   * the rules don't fit its type.
   */
  change(rules: ChannelRules): Promise<ChannelView | null>
  /** False: no channel of this name. */
  remove(name: string): Promise<boolean>
  /** Sends one test immediately and returns the result; `null`: no channel of this name. */
  test(name: string): Promise<Receipt | null>
  /** Newest first. */
  receipts(limit: number): readonly Receipt[]
  notify(notification: Notification): void
  /** Sends each channel that wants reports the text that `compose` returns for its workspaces (none: all); `null`: nothing. */
  report(
    compose: (workspaces: readonly string[]) => { readonly title: string; readonly body: string } | null,
  ): void
  /** Whether a request of this workspace's agent would currently reach someone who can answer it from a channel. */
  canAsk(workspace: string): boolean
  /** Returns what the button with this code stands for, once; `null`: it was used, is too old, or isn't from this host. */
  takeAnswer(code: string): { readonly answer: Answer; readonly channel: string } | null
  heartbeat(sign: HeartbeatSign): void
  /** Briefly retries what is pending, then stops. */
  stop(): Promise<void>
}
