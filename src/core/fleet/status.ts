import { z } from 'zod'
import { hubStateSchema, shippingStateSchema } from '../vocabulary/fleet.ts'
import { refusedAskSchema } from './ask.ts'
import { contentStatusSchema } from './content.ts'
import { hostNameSchema, labelSchema } from './names.ts'

/** Progress of sending one workspace's record to the hub. */
export const shippingSchema = z.object({
  workspace: z.string(),
  state: shippingStateSchema,
  /** The last line that the hub has confirmed; `null` if the hub was not asked yet. */
  shippedSeq: z.int().nullable(),
  /** The last line recorded here. */
  seq: z.int(),
  /** Why sending has stopped, and what to do about it; `null` if it hasn't. */
  problem: z.string().nullable(),
})

export type Shipping = z.infer<typeof shippingSchema>

/** Shared work that this host currently runs. */
export const heldLeaseSchema = z.object({
  name: z.string(),
  workspace: z.string(),
  /** Grows whenever another host takes the lease. Events recorded under it carry it. */
  epoch: z.int(),
})

export type HeldLease = z.infer<typeof heldLeaseSchema>

/** A host as part of a fleet. */
export const membershipSchema = z.object({
  host: hostNameSchema,
  url: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(labelSchema),
  state: hubStateSchema,
  /** What is wrong with the connection, and what to do about it; `null` if nothing. */
  problem: z.string().nullable(),
  workspaces: z.array(shippingSchema),
  leases: z.array(heldLeaseSchema),
  /** Remote requests refused since the host was started. */
  refusedAsks: z.array(refusedAskSchema),
  /** Status of sending prompts, output and diffs; `null` if none of them leave this machine. */
  content: contentStatusSchema.nullable(),
})

export type Membership = z.infer<typeof membershipSchema>

/** The fleet as this host sees it; `null` if it is in none. */
export const fleetStatusSchema = z.object({ member: membershipSchema.nullable(), isCentre: z.boolean() })

export type FleetStatus = z.infer<typeof fleetStatusSchema>

/** What a host needs to join. */
export const joinSchema = z.object({
  url: z.string().max(2_000),
  token: z.string().max(64_000),
  group: labelSchema.nullable().default(null),
  labels: z.array(labelSchema).max(20).default([]),
})

export type Join = z.infer<typeof joinSchema>
