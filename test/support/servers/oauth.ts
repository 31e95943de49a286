import assert from 'node:assert/strict'
import * as oauth from 'oauth4webapi'
import { registerApplication } from '../../../server/services/accounts/applications.ts'
import type { TestServer } from './servers.ts'
import { hidden, type Shown, type Visitor } from './visitors.ts'

/** A program that users let act for them, as an independent library sees it. */
export interface Program {
  readonly id: number
  readonly client: oauth.Client
  readonly secret: string | null
  readonly auth: oauth.ClientAuth
  readonly redirectUri: string
}

/** The server as the library knows it. */
export const issuerOf = ({ url }: TestServer): oauth.AuthorizationServer => ({
  issuer: url,
  authorization_endpoint: `${url}/api/v1/oauth/authorize`,
  token_endpoint: `${url}/api/v1/oauth/token`,
  revocation_endpoint: `${url}/api/v1/oauth/revoke_token`,
})

/** Lets the library talk to a server without TLS, which it otherwise does not. */
export const plain = { [oauth.allowInsecureRequests]: true }

/** Registers a program of somebody's. */
export async function addProgram(
  server: TestServer,
  user: number,
  { isPublic = false, redirectUris = ['https://app.example/callback'], name = 'Badge printer' } = {},
): Promise<Program> {
  const { application, secret } = await server.running.transactions.write((tx) =>
    registerApplication(tx, { id: user, email: 'maker@example.org' }, { name, redirectUris, isPublic }),
  )
  return {
    id: application.id,
    client: { client_id: application.clientId },
    secret,
    auth: secret === null ? oauth.None() : oauth.ClientSecretBasic(secret),
    redirectUri: redirectUris[0] ?? '',
  }
}

/** What is asked for beside what always is. */
interface Wish {
  readonly scope?: string
  readonly verifier?: string
  readonly state?: string
  /** Whether users are not asked who have been asked before. */
  readonly isAutomatic?: boolean
  readonly extra?: Readonly<Record<string, string>>
}

/** The address that a program sends a browser to. */
export async function authorizePath(program: Program, wish: Wish = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: program.client.client_id,
    response_type: 'code',
    redirect_uri: program.redirectUri,
    scope: wish.scope ?? 'read write',
    state: wish.state ?? 'the-state',
    approval_prompt: wish.isAutomatic ? 'auto' : 'force',
    ...(wish.verifier === undefined
      ? {}
      : {
          code_challenge: await oauth.calculatePKCECodeChallenge(wish.verifier),
          code_challenge_method: 'S256',
        }),
    ...wish.extra,
  })
  return `/api/v1/oauth/authorize?${query}`
}

/** Answers the page on which somebody is asked; everything that can be chosen is, unless `organizers` says which. */
export async function answerConsent(
  browser: Visitor,
  path: string,
  button: 'allow' | 'deny' = 'allow',
  organizers?: readonly number[],
): Promise<Shown> {
  const page = await browser.get(path)
  assert.equal(page.status, 200, `${page.status} ${page.location} ${page.text}`)
  const offered = [...page.text.matchAll(/name="organizers" value="(\d+)"/g)].map(([, id]) => String(id))
  const form = new URLSearchParams({ csrf: hidden(page, 'csrf'), [button]: 'yes' })
  for (const id of organizers ?? offered) form.append('organizers', String(id))
  return browser.send(path, form)
}

/** What the program is given by the browser that comes back. */
export const cameBack = (shown: Shown): URL => {
  assert.equal(shown.status, 303, `${shown.status} ${shown.text}`)
  return new URL(shown.location)
}

/** The whole way to tokens, as the library goes it. */
export async function connect(
  server: TestServer,
  program: Program,
  browser: Visitor,
  wish: Wish & { readonly organizers?: readonly number[] } = {},
): Promise<{ tokens: oauth.TokenEndpointResponse; code: string; verifier: string }> {
  const verifier = oauth.generateRandomCodeVerifier()
  const path = await authorizePath(program, { verifier, ...wish })
  const back = cameBack(await answerConsent(browser, path, 'allow', wish.organizers))
  const issuer = issuerOf(server)
  const parameters = oauth.validateAuthResponse(issuer, program.client, back, wish.state ?? 'the-state')
  const answer = await oauth.authorizationCodeGrantRequest(
    issuer,
    program.client,
    program.auth,
    parameters,
    program.redirectUri,
    verifier,
    plain,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(issuer, program.client, answer)
  return { tokens, code: back.searchParams.get('code') ?? '', verifier }
}

/** Asks for new tokens with a refresh token. */
export async function refresh(
  server: TestServer,
  program: Program,
  token: string,
): Promise<oauth.TokenEndpointResponse> {
  const issuer = issuerOf(server)
  const answer = await oauth.refreshTokenGrantRequest(issuer, program.client, program.auth, token, plain)
  return oauth.processRefreshTokenResponse(issuer, program.client, answer)
}
