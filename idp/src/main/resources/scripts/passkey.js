// Asks the browser for a passkey, and sends its answer with the form. Without scripts the form stays hidden.
(async () => {
  'use strict';
  const form = document.getElementById('passkey');
  if (!form || !window.PublicKeyCredential) {
    return;
  }
  const failed = document.getElementById('passkey-failed');
  const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
  const text = buffer =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const known = list => (list || []).map(one => ({...one, id: bytes(one.id)}));

  const options = async () => {
    const reply = await fetch(form.dataset.options, {cache: 'no-store'});
    if (!reply.ok) {
      throw new Error('no options: ' + reply.status);
    }
    const given = await reply.json();
    given.challenge = bytes(given.challenge);
    if (given.user) {
      given.user.id = bytes(given.user.id);
    }
    if (given.excludeCredentials) {
      given.excludeCredentials = known(given.excludeCredentials);
    }
    if (given.allowCredentials) {
      given.allowCredentials = known(given.allowCredentials);
    }
    return given;
  };

  // The form of PublicKeyCredential.toJSON(), which not every browser has (WebAuthn, section 5.1).
  const json = credential => {
    const answer = credential.response;
    const response = {clientDataJSON: text(answer.clientDataJSON)};
    if (answer.attestationObject) {
      response.attestationObject = text(answer.attestationObject);
      response.transports = answer.getTransports ? answer.getTransports() : [];
    } else {
      response.authenticatorData = text(answer.authenticatorData);
      response.signature = text(answer.signature);
      if (answer.userHandle) {
        response.userHandle = text(answer.userHandle);
      }
    }
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: credential.getClientExtensionResults(),
      response
    });
  };

  const send = credential => {
    form.elements.response.value = json(credential);
    form.submit();
  };

  // The browser offers passkeys in the field for the name. Challenges end, so that it is asked again before, and after somebody closed the
  // dialog of an offer. What fails at once would fail again, and is tried later.
  const RENEW = 4 * 60 * 1000;
  const AT_ONCE = 1000;
  let waiting;
  const offer = async () => {
    const stop = new AbortController();
    waiting = stop;
    const timer = setTimeout(() => stop.abort(), RENEW);
    let begun = Infinity;
    try {
      const publicKey = await options();
      begun = Date.now();
      send(await navigator.credentials.get({publicKey, mediation: 'conditional', signal: stop.signal}));
    } catch (e) {
      setTimeout(() => waiting === stop && offer(), Date.now() - begun > AT_ONCE ? 0 : RENEW);
    } finally {
      clearTimeout(timer);
    }
  };

  form.hidden = false;
  const needs = document.getElementById('passkey-needs');
  if (needs) {
    needs.hidden = true;
  }
  form.addEventListener('submit', async event => {
    event.preventDefault();
    failed.hidden = true;
    const before = waiting;
    waiting = undefined;
    if (before) {
      before.abort();
    }
    try {
      const publicKey = await options();
      send(await (form.dataset.passkey === 'create' ? navigator.credentials.create({publicKey}) : navigator.credentials.get({publicKey})));
    } catch (e) {
      failed.hidden = false;
      if (before) {
        offer();
      }
    }
  });
  if (form.dataset.passkey === 'login' && PublicKeyCredential.isConditionalMediationAvailable
      && await PublicKeyCredential.isConditionalMediationAvailable()) {
    offer();
  }
})();
