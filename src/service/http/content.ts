import type { FastifyInstance } from 'fastify'
import type { Services } from './context.ts'

/** Expiring URLs. */
export function registerContent(_app: FastifyInstance, _services: Services): void {}
