import * as client from 'openid-client'

/** How long the provider may take for one answer, while a user waits. */
const ANSWER_SECONDS = 10
/** The provider's metadata is fetched again after this long, because keys and addresses change. */
const KNOWN_MS = 3600_000
const SCOPE = 'openid email'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name by which users know the provider. */
  name: string
}

/** The state of one sign-in until the user returns from the provider. */
export interface Flow {
  state: string
  nonce: string
  /** PKCE: proves that the same party requested and redeems the code. */
  verifier: string
}

/** The company's identity provider (OpenID Connect). It may be unavailable at any time, even when the proxy starts. */
export interface IdentityProvider {
  name: string
  /** The URL to send the user to. @throws Error if the provider is unavailable */
  begin(): Promise<{ url: URL; flow: Flow }>
  /**
   * Reads the answer that the user returned with. Undefined if the provider refuses, or does not vouch for an e-mail
   * address.
   * @throws Error for anything that is not this provider's answer to this flow
   */
  finish(arrived: URL, flow: Flow): Promise<string | undefined>
}

export function createIdentityProvider(
  settings: OidcSettings,
  redirectUri: string,
  clock: () => Date,
  answerSeconds = ANSWER_SECONDS,
): IdentityProvider {
  const configure = createDiscovery(settings, clock, answerSeconds)
  return {
    name: settings.name,
    async begin() {
      const configuration = await configure()
      const verifier = client.randomPKCECodeVerifier()
      const flow = { state: client.randomState(), nonce: client.randomNonce(), verifier }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url, flow }
    },
    async finish(arrived, { state, nonce, verifier }) {
      try {
        const configuration = await configure()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        return await emailOf(configuration, await client.authorizationCodeGrant(configuration, arrived, checks))
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') return undefined
        throw error
      }
    },
  }
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

/** Some providers put the address into the token, others return it from their user info endpoint. */
async function emailOf(configuration: client.Configuration, tokens: Tokens): Promise<string | undefined> {
  const claims = tokens.claims()
  if (!claims) return undefined
  const told: Record<string, unknown> =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  const { email, email_verified } = told
  return email_verified === true && typeof email === 'string' ? email.toLowerCase() : undefined
}

/** Fetches and caches the provider's metadata. A failure is not cached, so the next call tries again. */
function createDiscovery({ issuer, clientId, clientSecret }: OidcSettings, clock: () => Date, timeout: number) {
  let known: { configuration: Promise<client.Configuration>; until: number } | undefined
  const discover = () =>
    client.discovery(new URL(issuer), clientId, clientSecret, authenticateBy(clientSecret), {
      timeout,
      execute: [
        // Optional for a token fetched directly from the provider, but without it only the provider's TLS vouches for
        // the token.
        client.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
    })
  return (): Promise<client.Configuration> => {
    const now = clock().getTime()
    if (known && known.until > now) return known.configuration
    const configuration = discover()
    const asked = { configuration, until: now + KNOWN_MS }
    known = asked
    configuration.catch(() => {
      if (known === asked) known = undefined
    })
    return configuration
  }
}

/** Authenticates by header if the provider supports that, which is the default (OpenID Connect Discovery, 3). */
function authenticateBy(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** A description of a failure for the log, which contains nothing that the provider or the browser sent. */
export function reasonOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown; name?: unknown }; name?: unknown }
  const words = [code, cause?.code ?? cause?.name, name].filter(
    (word): word is string => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word),
  )
  return [...new Set(words)].join(' ') || 'unknown'
}
