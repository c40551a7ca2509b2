import type { ApiClient } from '../../../../api/client.ts'

/** A channel as the host lists it. */
export type ChannelRow = Awaited<ReturnType<ApiClient['channels']['list']>>[number]
