// Sites whose service provider is node-saml; each has a page that shows what it knows of the person.
//   node server.js SITES.json
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const crypto = require('node:crypto');
const { SAML } = require('@node-saml/node-saml');

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function page(title, body) {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}

class Site {
  constructor(site) {
    this.site = site;
    this.base = `http://${site.address}:${site.port}`;
    this.sessions = new Map();
    this.saml = new SAML({
      issuer: `${this.base}/metadata`,
      callbackUrl: `${this.base}/acs`,
      logoutCallbackUrl: `${this.base}/slo`,
      entryPoint: `${site.idp}/saml/sso`,
      logoutUrl: `${site.idp}/saml/slo`,
      idpIssuer: site.idp,
      idpCert: site.idpCertificates,
      privateKey: site.privateKey,
      decryptionPvk: site.encrypted ? site.privateKey : undefined,
      publicCert: site.certificate,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      validateInResponseTo: 'ifPresent',
      acceptedClockSkewMs: 5000,
      ...site.options,
    });
    // What it posts it deflates as for a redirect, unless told; told, it no longer deflates redirects.
    this.posting = new SAML({ ...this.saml.options, skipRequestCompression: true });
  }

  metadata() {
    return this.saml.generateServiceProviderMetadata(
      this.site.encrypted ? this.site.certificate : null, this.site.certificate);
  }

  session(request) {
    const cookie = /(?:^|; )sid=([0-9a-f]+)/.exec(request.headers.cookie || '');
    return cookie ? this.sessions.get(cookie[1]) : undefined;
  }

  // A LogoutRequest may come in a frame, without cookies: it names the person.
  end(nameID) {
    for (const [id, profile] of this.sessions) {
      if (profile.nameID === nameID) {
        this.sessions.delete(id);
      }
    }
  }

  async answer(request, url, body) {
    const form = Object.fromEntries(new URLSearchParams(body));
    switch (url.pathname) {
      case '/metadata':
        return { type: 'application/samlmetadata+xml', body: this.metadata() };
      case '/acs': {
        const { profile } = await this.saml.validatePostResponseAsync(form);
        // What node-saml makes of the status NoPassive.
        if (!profile) return { body: page('Nobody is logged in', '<a href="/">Log in</a>') };
        const id = crypto.randomBytes(16).toString('hex');
        this.sessions.set(id, profile);
        return { location: '/', cookie: `sid=${id}; HttpOnly; Path=/; SameSite=Lax` };
      }
      case '/slo':
        return this.logout(request, url, form);
      case '/logout': {
        const own = this.session(request);
        const location = await this.saml.getLogoutUrlAsync(own, 'left', {});
        // Now, because the answer is posted from another site, without our cookie.
        this.end(own.nameID);
        return { location };
      }
      case '/left':
        return { body: page('You have left', '<a href="/">Come back</a>') };
      case '/passive':
        return { location: await this.passive() };
      default:
        return this.home(request);
    }
  }

  passive() {
    const passive = new SAML({ ...this.saml.options, passive: true, forceAuthn: false });
    return passive.getAuthorizeUrlAsync('', undefined, {});
  }

  async home(request) {
    const profile = this.session(request);
    if (profile) {
      const facts = ['nameID', 'nameIDFormat', 'uid', 'mail', 'sessionIndex']
        .map((name) => `<dt>${name}</dt><dd id="${name}">${escape(profile[name] ?? '')}</dd>`);
      return { body: page(this.site.title, `<dl>${facts.join('')}</dl><a href="/logout">Log out</a>`) };
    }
    if (this.site.options.authnRequestBinding === 'HTTP-POST') {
      return { body: await this.posting.getAuthorizeFormAsync('') };
    }
    return { location: await this.saml.getAuthorizeUrlAsync('', undefined, {}) };
  }

  async logout(request, url, form) {
    const posted = request.method === 'POST';
    const query = Object.fromEntries(url.searchParams);
    const { profile, loggedOut } = posted
      ? await (form.SAMLRequest ? this.saml.validatePostRequestAsync(form) : this.saml.validatePostResponseAsync(form))
      : await this.saml.validateRedirectAsync(query, url.search.slice(1));
    if (query.SAMLRequest || form.SAMLRequest) {
      this.end(profile.nameID);
      const relayState = query.RelayState || form.RelayState || '';
      return { location: await this.saml.getLogoutResponseUrlAsync(profile, relayState, {}, true) };
    }
    if (!loggedOut) {
      throw new Error('the identity provider did not log the person out');
    }
    return { location: '/left' };
  }
}

for (const description of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
  const site = new Site(description);
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      try {
        const url = new URL(request.url, site.base);
        const reply = await site.answer(request, url, Buffer.concat(chunks).toString());
        const headers = { 'Content-Type': reply.type || 'text/html; charset=utf-8' };
        if (reply.location) headers.Location = reply.location;
        if (reply.cookie) headers['Set-Cookie'] = reply.cookie;
        response.writeHead(reply.location ? 303 : 200, headers).end(reply.body || '');
      } catch (error) {
        const status = error.xmlStatus ? `<pre id="status">${escape(error.xmlStatus)}</pre>` : '';
        response.writeHead(403, { 'Content-Type': 'text/html; charset=utf-8' })
          .end(page('Refused', `<p id="reason">${escape(error.message)}</p>${status}`));
        console.log(error.stack);
      }
    });
  });
  server.listen(description.port, description.address, () => console.log(`listening ${site.base}`));
}
