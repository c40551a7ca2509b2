import { z } from 'zod'
import { hubStateSchema, shippingStateSchema } from '../vocabulary/fleet.ts'
import { refusedAskSchema } from './ask.ts'
import { contentStatusSchema } from './content.ts'
import { hostNameSchema, labelSchema } from './names.ts'

/** How the record of one workspace is on its way to the hub. */
export const shippingSchema = z.object({
  workspace: z.string(),
  state: shippingStateSchema,
  /** The last line that the hub has confirmed; `null`: the hub was not asked yet. */
  shippedSeq: z.int().nullable(),
  /** The last line recorded here. */
  seq: z.int(),
  /** Why it stands still, with the remedy; `null`: it does not. */
  problem: z.string().nullable(),
})

export type Shipping = z.infer<typeof shippingSchema>

/** Shared work that this host runs just now. */
export const heldLeaseSchema = z.object({
  name: z.string(),
  workspace: z.string(),
  /** Grows whenever another host takes it; each event that is recorded meanwhile has it. */
  epoch: z.int(),
})

export type HeldLease = z.infer<typeof heldLeaseSchema>

/** A host as a part of a fleet. */
export const membershipSchema = z.object({
  host: hostNameSchema,
  url: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(labelSchema),
  state: hubStateSchema,
  /** What is wrong with the connection, with the remedy; `null`: nothing. */
  problem: z.string().nullable(),
  workspaces: z.array(shippingSchema),
  leases: z.array(heldLeaseSchema),
  /** What was asked for from afar and not done, since the host was started. */
  refusedAsks: z.array(refusedAskSchema),
  /** Of prompts, output and differences; `null`: none of them leaves this machine. */
  content: contentStatusSchema.nullable(),
})

export type Membership = z.infer<typeof membershipSchema>

/** The fleet as this host sees it: `null` where it is in none. */
export const fleetStatusSchema = z.object({ member: membershipSchema.nullable(), isCentre: z.boolean() })

export type FleetStatus = z.infer<typeof fleetStatusSchema>

/** What a host is told to join by. */
export const joinSchema = z.object({
  url: z.string().max(2_000),
  token: z.string().max(64_000),
  group: labelSchema.nullable().default(null),
  labels: z.array(labelSchema).max(20).default([]),
})

export type Join = z.infer<typeof joinSchema>
