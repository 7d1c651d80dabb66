import * as client from 'openid-client'

/** How long the provider may take for one answer; a person waits for it. */
const ANSWER_SECONDS = 10
/** What is known of the provider is asked for anew after this long: keys and addresses change. */
const KNOWN_MS = 3600_000
const SCOPE = 'openid email'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** What people know the provider as. */
  name: string
}

/** What one sign-in has to remember until the person comes back from the provider. */
export interface Flow {
  state: string
  nonce: string
  /** PKCE: proves that whoever redeems the code is whoever asked for it. */
  verifier: string
}

/** The company's identity provider (OpenID Connect). It may be away when the proxy starts, and at any other time. */
export interface IdentityProvider {
  name: string
  /** Where to send the person. @throws Error when the provider is away */
  begin(): Promise<{ url: URL; flow: Flow }>
  /**
   * Reads with what the person came back. Undefined when the provider says no, or does not vouch for an e-mail address.
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

/** Some providers put the address into the token, others tell it when asked. */
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

/** Gives the provider's own description of itself; a failure is not remembered, the next call asks again. */
function createDiscovery({ issuer, clientId, clientSecret }: OidcSettings, clock: () => Date, timeout: number) {
  let known: { configuration: Promise<client.Configuration>; until: number } | undefined
  const discover = () =>
    client.discovery(new URL(issuer), clientId, clientSecret, authenticateBy(clientSecret), {
      timeout,
      execute: [
        // Not needed where the token came straight from the provider, but then only its TLS vouches for it.
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

/** By header where the provider takes that, which is what a provider that says nothing takes (OpenID Connect Discovery, 3). */
function authenticateBy(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** A failure in words for the log, which hold nothing that the provider or the browser sent. */
export function reasonOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown; name?: unknown }; name?: unknown }
  const words = [code, cause?.code ?? cause?.name, name].filter(
    (word): word is string => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word),
  )
  return [...new Set(words)].join(' ') || 'unknown'
}
