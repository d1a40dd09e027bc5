// A relying party made of openid-client; each of its pages drives one flow and shows what came of it.
//   node server.js SETTINGS.json
// SETTINGS: {address, port, issuer, clients: {NAME: {id, secret, authentication, key}}}; key: PKCS#8 PEM of an EC key.
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import * as oidc from 'openid-client';

const settings = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const base = `http://${settings.address}:${settings.port}`;
const insecure = { execute: [oidc.allowInsecureRequests] };
const waiting = new Map();
let last = {};

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function page(title, facts) {
  const rows = Object.entries(facts).map(
    ([name, value]) => `<dt>${escape(name)}</dt><dd id="${escape(name)}">${escape(value)}</dd>`);
  return `<!doctype html><html lang="en"><title>${escape(title)}</title><h1>${escape(title)}</h1><dl>${rows.join('')}</dl>`
    + '<a href="/refresh">Refresh</a> <a href="/logout">Log out</a></html>';
}

async function privateKey(pem) {
  const der = crypto.createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

async function authentication(client) {
  switch (client.authentication) {
    case 'client_secret_post': return oidc.ClientSecretPost(client.secret);
    case 'client_secret_jwt': return oidc.ClientSecretJwt(client.secret);
    case 'private_key_jwt': return oidc.PrivateKeyJwt(await privateKey(client.key));
    case 'none': return oidc.None();
    default: return oidc.ClientSecretBasic(client.secret);
  }
}

async function configuration(name) {
  const client = settings.clients[name];
  const metadata = client.metadata || {};
  return oidc.discovery(new URL(settings.issuer), client.id, metadata, await authentication(client), insecure);
}

/** ?client=NAME&via=plain|par|jar&dpop&... the rest goes into the request. */
async function start(query) {
  const { client: name = 'basic', via = 'plain', dpop, hybrid, ...more } = Object.fromEntries(query);
  const config = await configuration(name);
  if (hybrid !== undefined) oidc.useCodeIdTokenResponseType(config);
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const DPoP = dpop === undefined ? undefined : oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
  const parameters = {
    redirect_uri: `${base}/callback`, scope: 'openid profile email offline_access', state, nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', ...more,
  };
  waiting.set(state, { config, verifier, state, nonce, DPoP });
  if (via === 'par') return oidc.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  if (via === 'jar') {
    return oidc.buildAuthorizationUrlWithJAR(config, parameters, await privateKey(settings.clients[name].key));
  }
  return oidc.buildAuthorizationUrl(config, parameters);
}

async function finish(url, body) {
  const current = new URL(url, base);
  const parameters = new URLSearchParams(body || current.search);
  const { config, verifier, state, nonce, DPoP } = waiting.get(parameters.get('state'));
  waiting.delete(state);
  if (body) current.hash = body;
  const tokens = await oidc.authorizationCodeGrant(
    config, current, { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }, undefined, { DPoP });
  last = { config, DPoP, tokens, claims: tokens.claims(), idToken: tokens.id_token };
  return page('Signed in', await facts());
}

async function facts() {
  const { config, DPoP, tokens, claims } = last;
  const userinfo = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub, { DPoP });
  return {
    sub: claims.sub, acr: claims.acr, token_type: tokens.token_type, scope: tokens.scope,
    name: userinfo.preferred_username, email: userinfo.email, refreshable: tokens.refresh_token !== undefined,
  };
}

async function refresh() {
  const { config, DPoP, tokens } = last;
  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP });
  last.tokens = renewed;
  return page('Refreshed', { ...(await facts()), rotated: renewed.refresh_token !== tokens.refresh_token });
}

function logout() {
  const { config, idToken } = last;
  return oidc.buildEndSessionUrl(
    config, { post_logout_redirect_uri: `${base}/left`, id_token_hint: idToken, state: 'bye' });
}

async function credentials(name) {
  const config = await configuration(name);
  const tokens = await oidc.clientCredentialsGrant(config, {});
  const before = await oidc.tokenIntrospection(config, tokens.access_token);
  await oidc.tokenRevocation(config, tokens.access_token);
  const after = await oidc.tokenIntrospection(config, tokens.access_token);
  return page('Own token', { token_type: tokens.token_type, client_id: before.client_id, active: before.active, revoked: !after.active });
}

async function device() {
  const config = await configuration('basic');
  const issued = await oidc.initiateDeviceAuthorization(config, { scope: 'openid profile email' });
  last = { config };
  last.polling = oidc.pollDeviceAuthorizationGrant(config, issued, undefined, { signal: AbortSignal.timeout(60000) })
    .then((tokens) => Object.assign(last, { tokens, claims: tokens.claims(), idToken: tokens.id_token }));
  last.polling.catch(() => {});
  return page('A device', { user_code: issued.user_code, complete: issued.verification_uri_complete });
}

async function register() {
  const config = await oidc.dynamicClientRegistration(
    new URL(settings.issuer),
    { redirect_uris: [`${base}/callback`], client_name: 'Registered guest', token_endpoint_auth_method: 'client_secret_basic' },
    undefined, insecure);
  const client = config.clientMetadata();
  settings.clients.registered = { id: client.client_id, secret: client.client_secret };
  return page('Registered', { client_id: client.client_id, expires: client.client_secret_expires_at });
}

async function answer(request, body) {
  const url = new URL(request.url, base);
  switch (url.pathname) {
    case '/start': return { location: (await start(url.searchParams)).href };
    case '/callback': return { html: await finish(request.url, body) };
    case '/refresh': return { html: await refresh() };
    case '/logout': return { location: logout().href };
    case '/left': return { html: page('You have left', Object.fromEntries(url.searchParams)) };
    case '/credentials': return { html: await credentials(url.searchParams.get('client')) };
    case '/device': return { html: await device() };
    case '/device/done': await last.polling; return { html: page('The device is signed in', await facts()) };
    case '/register': return { html: await register() };
    default: return { status: 404, html: page('Nothing here', {}) };
  }
}

http.createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    const { status = 200, location, html = '' } = await answer(request, body);
    response.writeHead(location ? 303 : status, location ? { Location: location } : { 'Content-Type': 'text/html' });
    response.end(html);
  } catch (error) {
    const cause = error.cause || {};
    response.writeHead(400, { 'Content-Type': 'text/html' });
    response.end(page('Refused', {
      error: error.error || cause.error || error.code || error.message, message: error.message,
      description: error.error_description || cause.error_description || '', detail: JSON.stringify(cause).slice(0, 500),
    }));
  }
}).listen(settings.port, settings.address, () => console.log('listening'));
