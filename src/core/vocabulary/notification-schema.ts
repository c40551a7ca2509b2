import { z } from 'zod'
import { NOTIFICATION_SUBJECTS } from './notification.ts'

/** Separate from the words, which the desktop needs before its window: it starts without zod. */
export const notificationSubjectSchema = z.enum(NOTIFICATION_SUBJECTS)
