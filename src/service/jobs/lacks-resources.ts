import { ApiError } from '../base/errors.ts'

/** Errors of the system for full disks and quotas, memory, processes and open files. */
const SYSTEM = /\b(ENOSPC|EDQUOT|ENOMEM|EAGAIN|EMFILE|ENFILE)\b/
/** PostgreSQL: insufficient resources, and a server that is shutting down or starting up. */
const DATABASE = /^(53...|57P0[1-3])$/

/** Whether an error shows that this machine lacks a resource for the moment: this is not the fault of a job. */
export function lacksResources(error: unknown): boolean {
  // The disk is full, or the storage is away.
  if (error instanceof ApiError) return error.status === 507 || error.status === 503
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return SYSTEM.test(`${code} ${error.message}`) || DATABASE.test(String(code))
}
