/**
 * The environment of a child process: these variables and no others. It has no prototype, because Node passes inherited
 * properties on as variables too.
 */
export function childEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null) as NodeJS.ProcessEnv, variables)
}

/** For small programs of the system, such as `ps`. */
export const SYSTEM_ENVIRONMENT = childEnvironment({ PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' })
