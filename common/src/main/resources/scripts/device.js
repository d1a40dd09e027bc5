// Makes a key that no script can export, or proves the one that is there, and goes on to the page that the person asked for.
(async () => {
  'use strict';
  const page = document.getElementById('device').dataset;
  const text = new TextEncoder();
  const base64url = bytes =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const encoded = value => base64url(text.encode(JSON.stringify(value)));
  const done = request =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const open = () => {
    const request = indexedDB.open('gatehouse', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('keys');
    return done(request);
  };
  const keys = (db, mode) => db.transaction('keys', mode).objectStore('keys');

  try {
    const db = await open();
    let pair;
    if (page.mode === 'create') {
      const made = await crypto.subtle.generateKey({name: 'ECDSA', namedCurve: 'P-256'}, false, ['sign']);
      // Two pages of one session use the key of the first: one transaction looks and keeps.
      const store = keys(db, 'readwrite');
      const there = await done(store.get(page.slot));
      pair = there && there.session === page.session ? there.pair : made;
      if (pair === made) {
        await done(store.put({session: page.session, pair}, page.slot));
      }
    } else {
      const there = await done(keys(db, 'readonly').get(page.slot));
      pair = there && (there.pair || there);
    }
    if (pair) {
      const header = {typ: 'dbsc+jwt', alg: 'ES256'};
      if (page.mode === 'create') {
        const {kty, crv, x, y} = await crypto.subtle.exportKey('jwk', pair.publicKey);
        header.jwk = {kty, crv, x, y};
      }
      const claims = {
        jti: page.challenge,
        zoneinfo: Intl.DateTimeFormat().resolvedOptions().timeZone || '',
        hardware: 'processors ' + (navigator.hardwareConcurrency ?? '')
      };
      const signed = encoded(header) + '.' + encoded(claims);
      const signature = await crypto.subtle.sign({name: 'ECDSA', hash: 'SHA-256'}, pair.privateKey, text.encode(signed));
      const prove = () =>
        fetch(page.key, {
          method: 'POST',
          headers: {'Secure-Session-Response': signed + '.' + base64url(signature)}
        });
      let reply = await prove();
      // The browser registers a key of its own meanwhile, and gets its cookie in a moment.
      for (let tries = 0; reply.status === 409 && tries < 10; tries++) {
        await new Promise(resolve => setTimeout(resolve, 200));
        reply = await prove();
      }
      if (reply.ok) {
        location.replace(page.target);
        return;
      }
    }
    location.replace(page.login);
  } catch (e) {
    // No IndexedDB or no WebCrypto: the person goes on by the button, if the session has no key yet.
    document.getElementById('without').hidden = page.mode !== 'create';
    if (page.mode !== 'create') {
      location.replace(page.login);
    }
  }
})();
