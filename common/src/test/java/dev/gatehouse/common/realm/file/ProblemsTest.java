package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.Durations;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of mistake causes exactly one problem, at its line and key, with a remedy. */
class ProblemsTest {

  private static final String IDP = "http://idp.localhost:8080/realms/demo";

  @TempDir Path path;

  /** Text to replace in the minimal realm, its replacement, line, key, and words of message and remedy. */
  static Stream<Arguments> mistakesOfARealm() {
    String idp = "  publicUrl: http://idp.localhost:8080\n";
    String sp = "  publicUrl: http://app.localhost:8000\n";
    String urls = "  urls: ldap://localhost:10389\n";
    String base = "  base: dc=example,dc=org\n";
    String release = "    release: [uid, mail, roles, groups]\n";
    String first = "  - entityId: http://idp.localhost:8080/realms/demo\n";
    String path = "  - path: /\n";
    String upstream = "    upstream: http://127.0.0.1:9000\n";
    return Stream.of(
        // Keys and types.
        of(idp, idp + "  directLogn: true\n", 3, "idp.directLogn", "not a known key", "did you mean directLogin?"),
        of(idp, idp + "  direct_login: true\n", 3, "idp.direct_login", "not a known key", "did you mean directLogin?"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], token_endpoint_auth_method: none}]\nidp:\n", 1,
            "clients[0].token_endpoint_auth_method", "not a known key", "did you mean authentication?"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], grant_types: [code]}]\nidp:\n", 1, "clients[0].grant_types",
            "not a known key", "did you mean grants?"),
        of(upstream, upstream + "    clientId: a\n", 15, "routes[0].clientId", "not a known key",
            "it belongs to clients of realms/NAME.yaml or providers of"),
        of(idp, idp + "  entirelyElse: 1\n", 3, "idp.entirelyElse", "not a known key", "known here: publicUrl"),
        of("routes:\n", "route: []\nroutes:\n", 12, "route", "not a known key", "did you mean routes?"),
        of(idp, idp + "  unsolicited: true\n  unsolicited: false\n", 4, "idp.unsolicited", "twice, first on line 3", "keep one"),
        of(idp, idp + "  session: 30m\n", 3, "idp.session", "is a single value", "key: value"),
        of(idp, idp + "  directLogin: [true]\n", 3, "idp.directLogin", "is a list", "one value"),
        of(idp, idp + "  directLogin: {a: b}\n", 3, "idp.directLogin", "is a mapping", "one value"),
        of(idp, idp + "  directLogin:\n", 3, "idp.directLogin", "has no value", "remove the key"),
        of(idp, idp + "  directLogin: yes\n", 3, "idp.directLogin", "neither true nor false", "true or false"),
        of(idp, "  assertionLife: 5m\n", 1, "idp.publicUrl", "is missing", "origin"),
        of(path, "  - /\n  - path: /\n", 13, "routes[0]", "is a single value", "key: value"),
        // Durations, numbers, colours.
        of(idp, idp + "  assertionLife: 300\n", 3, "idp.assertionLife", "`300` is not a duration", "unit"),
        of(idp, idp + "  assertionLife: PT5X\n", 3, "idp.assertionLife", "not a duration", "30m"),
        of(idp, idp + "  assertionLife: 2h\n", 3, "idp.assertionLife", "out of range", "10s to 1h"),
        of(idp, idp + "  session: {idle: 9h}\n", 3, "idp.session.idle", "longer than absolute", "shorter"),
        of(idp, idp + "  session:\n    absolute: 10m\n", 4, "idp.session.absolute", "longer than absolute", "shorter"),
        of(idp, idp + "  throttle: {perAccount: 0}\n", 3, "idp.throttle.perAccount", "from 1 to 1000", "number"),
        of(idp, idp + "  throttle: {perAccount: many}\n", 3, "idp.throttle.perAccount", "not a number", "number"),
        of("idp:\n", "brand: {accent: blue}\nidp:\n", 1, "brand.accent", "not a colour", "#rrggbb"),
        of("idp:\n", "brand: {accent: #fff}\nidp:\n", 2, "-", "is not YAML", "correct it"),
        of("idp:\n", "brand: {displayName: \"a\\tb\"}\nidp:\n", 1, "brand.displayName", "control character", "plain text"),
        of("idp:\n", "brand: {logo: logo.bmp}\nidp:\n", 1, "brand.logo", "not an image", ".png"),
        of("idp:\n", "brand: {logo: logo.png}\nidp:\n", 1, "brand.logo", "cannot read the file", "readable"),
        of("idp:\n", "brand: {light: {card: \"#333333\"}}\nidp:\n", 1, "brand.light", "contrast is 1.", "4.5:1"),
        of("idp:\n", "brand: {dark: {background: \"#ffffff\"}}\nidp:\n", 1, "brand.dark", "on the background", "4.5:1"),
        of("idp:\n", "brand: {texts: {en: {no.such: x}}}\nidp:\n", 1, "brand.texts.en.no.such", "no page shows", "keys"),
        of("idp:\n", "brand: {texts: {de: {error.reason: \"{0}\"}}}\nidp:\n", 1, "brand.texts.de.error.reason", "{0} stands for nothing", "placeholders"),
        of("idp:\n", "brand: {texts: {fr: {error.reason: x}}}\nidp:\n", 1, "brand.texts.fr", "not a known key", "en, de"),
        of("idp:\n", "brand: {templates: {submit: demo.yaml}}\nidp:\n", 1, "brand.templates.submit", "no page that takes", "error"),
        of("idp:\n", "brand: {templates: {error: demo.yaml}}\nidp:\n", 1, "brand.templates.error", "only what stands within <main>", "our template"),
        // Login contracts.
        of(idp, idp + "  contracts: {secondFactor: yes}\n", 3, "idp.contracts.secondFactor", "`yes` is not known here", "required"),
        of(idp, idp + "  contracts: {totp: {digits: 7}}\n", 3, "idp.contracts.totp.digits", "`7` is not known here", "8"),
        of(idp, idp + "  contracts: {totp: {issuer: \"a:b\"}}\n", 3, "idp.contracts.totp.issuer", "has a colon", "plain name"),
        of(idp, idp + "  contracts: {certificate: {ca: ca.pem, publicUrl: \"https://x\", field: sanMail, attribute: mail}}\n", 3,
            "idp.contracts.certificate.ca", "is no authority's", "the CA itself"),
        of(release, release + "    contract: sms\n", 12, "partners[1].contract", "`sms` is not known here", "totp"),
        of(release, release + "    contract: basic\n", 12, "partners[1].contract", "the idp does not offer", "idp.contracts"),
        // Origins.
        of(idp, "  publicUrl: http://idp.localhost:8080/sso\n", 2, "idp.publicUrl", "has a path", "http://idp.localhost:8080"),
        of(idp, "  publicUrl: http://idp.localhost:8080?x\n", 2, "idp.publicUrl", "a path or a query", "origin only"),
        of(idp, "  publicUrl: http://id.example.org\n", 2, "idp.publicUrl", "in clear text", "use https"),
        of(idp, "  publicUrl: https://u:secret@idp.localhost\n", 2, "idp.publicUrl", "user name or password", "remove"),
        of(idp, "  publicUrl: https://idp.localhost#x\n", 2, "idp.publicUrl", "fragment", "remove"),
        of(idp, "  publicUrl: idp.localhost:8080\n", 2, "idp.publicUrl", "not an http or https URL", "absolute URL"),
        of(idp, "  publicUrl: https://\n", 2, "idp.publicUrl", "not a URL", "absolute URL"),
        of(idp, "  publicUrl: https://a_b.example.org\n", 2, "idp.publicUrl", "no valid host", "absolute URL"),
        of(idp, "  publicUrl: https://localhost:99999\n", 2, "idp.publicUrl", "no valid host and port", "absolute URL"),
        of(sp, "  publicUrl: http://app.localhost:8000/\n  otherOrigins: [http://x.example.org]\n", 5, "sp.otherOrigins[0]", "clear text",
            "use https"),
        of(sp, sp + "  otherOrigins: [http://idp.localhost:8080]\n", 1, "idp", "same origin as sp", "origin of its own"),
        of(idp, "  publicUrl: https://idp.localhost:8080\n", 1, "idp", "nothing here speaks TLS", "trustedProxies",
            first, "  - {entityId: \"https://idp.localhost:8080/realms/demo\"}\n"),
        // Sections that need one another.
        of("sp:\n" + sp, "", 10, "routes", "need an sp", "add sp"),
        of(sp, sp + "  identityProvider: urn:other\n", 5, "sp.identityProvider", "`urn:other` is not a partner", "add a partner"),
        of(first, "", 3, "sp.identityProvider", "is not a partner", "add a partner"),
        of(sp, sp + "  identityProvider: oauth:app\n", 5, "sp.identityProvider", "not an entity ID", "absolute URI"),
        of(sp, sp + "  identityProvider: no uri\n", 5, "sp.identityProvider", "not an entity ID", "absolute URI"),
        of("idp:\n", "federation: {store: directory}\nidp:\n", 1, "federation.store", "write anonymously", "bindDn"),
        // Directory.
        of(urls, "", 5, "directory.urls", "is missing", "ldaps://"),
        of(base, "", 5, "directory.base", "is missing", "DN"),
        of(base, "  base: people\n", 7, "directory.base", "not a DN", "dc=example"),
        of(urls, "  urls: [ldap://ldap.example.org]\n", 6, "directory.urls[0]", "clear text", "startTls"),
        of(urls, "  urls: [ldaps://a, ldap://localhost]\n", 6, "directory.urls[1]", "mixes", "one of them"),
        of(urls, "  urls: ldaps://a\n  startTls: true\n", 6, "directory.urls", "has TLS already", "remove startTls"),
        of(urls, "  urls: http://localhost\n", 6, "directory.urls", "not an LDAP URL", "ldaps://host"),
        of(urls, "  urls: ldap://localhost/dc=x\n", 6, "directory.urls", "more than host and port", "base"),
        of(urls, "  urls: \"ldap://local host\"\n", 6, "directory.urls", "not an LDAP URL", "ldaps://host"),
        of(urls, urls + "  trust: ca.pem\n", 7, "directory.trust", "no effect without TLS", "ldaps", "x", "x"),
        of(urls, urls + "  bindDn: cn=x\n", 7, "directory.bindDn", "stands without bindPassword", "both"),
        of(urls, urls + "  bindPassword: x\n", 7, "directory.bindPassword", "stands without bindDn", "both"),
        of(urls, urls + "  filter: (uid=x)\n", 7, "directory.filter", "does not contain {name}", "{name}"),
        of(urls, urls + "  filter: (uid={name}\n", 7, "directory.filter", "not an LDAP filter", "parentheses"),
        of(urls, urls + "  groups: {filter: (member=x)}\n", 7, "directory.groups.filter", "does not contain {dn}", "{dn}"),
        of(urls, urls + "  idAttribute: entry UUID\n", 7, "directory.idAttribute", "LDAP attribute", "entryUUID"),
        of(urls, urls + "  attributes: {mail: mail, uid: uid, roles: r}\n", 7, "directory.attributes", "meaning of its own", "another name"),
        of(urls, urls + "  groups: {attribute: memberOf, filter: \"(member={dn})\"}\n", 7, "directory.groups.filter",
            "no effect beside attribute", "remove one"),
        of(urls, urls + "  groups: {attribute: 1.2.840.113556.1.2.102}\n", 7, "directory.groups.attribute", "not a plain name", "memberOf"),
        of(urls, urls + "  groups: {attribute: memberOf;x-all}\n", 7, "directory.groups.attribute", "not a plain name", "memberOf"),
        of(urls, urls + "  groups: {most: 0}\n", 7, "directory.groups.most", "from 1 to 100000", "number"),
        of(urls, urls + "  poolSize: 0\n", 7, "directory.poolSize", "from 1 to 1000", "number"),
        of(urls, urls + "  connectTimeout: 0s\n", 7, "directory.connectTimeout", "out of range", "100ms to 1m"),
        // Partners.
        of(first, first + "  - entityId: " + IDP + "\n", 10, "partners[1].entityId", "another partner, too (line 9)", "keep one"),
        of(first, first + "  - displayName: x\n", 10, "partners[1].entityId", "is missing", "entityID"),
        of(first, first + "  - entityId: urn:x\n", 10, "partners[1].metadata", "not a URL", "path or a URL"),
        of(first, first + "  - entityId: http://x.example.org\n", 10, "partners[1].metadata", "anybody on the way", "verifyWith"),
        of(first, first + "    metadata: {url: \"http://x.example.org\"}\n", 10, "partners[0].metadata.url", "anybody on the way", "verifyWith"),
        of(first, first + "    metadata: {file: a.xml, url: \"https://a\"}\n", 10, "partners[0].metadata", "a file and a url", "file or url"),
        of(first, first + "    metadata: {}\n", 10, "partners[0].metadata", "no source", "file or url"),
        of(first, first + "    metadata: missing.xml\n", 10, "partners[0].metadata", "cannot read the file", "readable"),
        of(first, first + "    metadata: {url: \"https://a\", verifyWith: missing.pem}\n", 10, "partners[0].metadata.verifyWith",
            "cannot read the file", "readable"),
        of(first, first + "    metadata: {url: \"https://a\", verifyWith: demo.yaml}\n", 10, "partners[0].metadata.verifyWith",
            "not a PEM certificate", "BEGIN CERTIFICATE"),
        of(first, first + "    metadata: {file: demo.yaml, refresh: 1h}\n", 10, "partners[0].metadata.refresh", "no effect with a file", "remove"),
        of(first, first + "    link: {attribute: mail, matches: email}\n", 10, "partners[0].link.matches", "not an attribute that is read",
            "directory.attributes"),
        of(first, first + "    nameId: kerberos\n", 10, "partners[0].nameId", "not known", "transient, persistent, email"),
        of(first, first + "    nameId: presistent\n", 10, "partners[0].nameId", "not known", "did you mean persistent?"),
        of(release, "    release: [maill]\n", 11, "partners[1].release[0]", "not an attribute", "did you mean mail?"),
        of(release, "    release: {urn:x: phone}\n", 11, "partners[1].release.urn:x", "not an attribute", "directory.attributes"),
        of(base, base + "  attributes: [uid]\n", 12, "partners[1].nameId", "needs the directory attribute mail", "add mail",
            release, "    nameId: email\n"),
        // Clients of OAuth.
        of("idp:\n", "clients: [{redirectUris: [\"https://a/cb\"]}]\nidp:\n", 1, "clients[0].clientId", "is missing",
            "the name that the client sends"),
        of("idp:\n", "clients: [{clientId: a}]\nidp:\n", 1, "clients[0].redirectUris", "could not return", "own"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"http://a.example/cb\"]}]\nidp:\n", 1, "clients[0].redirectUris[0]",
            "anybody on the way", "https"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://*.a.example/cb\"]}]\nidp:\n", 1, "clients[0].redirectUris[0]",
            "has a wildcard", "https"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], grants: [client_credentials]}]\nidp:\n", 1, "clients[0].grants",
            "no credentials", "secret"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [client_secret_basic]}]\nidp:\n", 1,
            "clients[0].secret", "is missing", "secret"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: secret_basic}]\nidp:\n", 1,
            "clients[0].authentication", "not known", "client_secret_basic"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"javascript:x\"]}]\nidp:\n", 1, "clients[0].redirectUris[0]", "no app can own",
            "https"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb#f\"]}]\nidp:\n", 1, "clients[0].redirectUris[0]", "has a fragment",
            "https"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], grants: [clientCredentials]}]\nidp:\n", 1, "clients[0].grants",
            "no credentials", "secret"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [basic]}]\nidp:\n", 1, "clients[0].secret",
            "is missing", "secret"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [none, post], secret: s}]\nidp:\n", 1,
            "clients[0].authentication", "protect nothing", "remove"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [secretJwt], secret: short}]\nidp:\n", 1,
            "clients[0].secret", "32 bytes", "random"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt]}]\nidp:\n", 1, "clients[0].jwks",
            "is missing", "jwksUri"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [certificate], certificate: {sanDns: a}}]\nidp:\n", 1,
            "clients[0].authentication", "no certificate authority", "idp.oauth.certificateCa"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], jwks: demo.yaml}]\nidp:\n", 1, "clients[0].jwks",
            "no set of public keys", "RFC 7517"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], pkce: false}]\nidp:\n", 1, "clients[0].pkce", "public client",
            "remove"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], profile: fapi2}]\nidp:\n", 1, "clients[0].authentication",
            "has none, which profile: fapi2", "private_key_jwt"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], profile: fapi2, secret: s, authentication: [post]}]\nidp:\n", 1,
            "clients[0].authentication", "has client_secret_post, which profile: fapi2", "private_key_jwt"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, grants: [code, implicit, device]}]\nidp:\n", 1, "clients[0].grants",
            "has implicit, urn:ietf:params:oauth:grant-type:device_code, which profile: fapi2", "client_credentials"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, pkce: false}]\nidp:\n", 1, "clients[0].pkce", "requires PKCE", "remove"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, pushedRequests: false}]\nidp:\n", 1, "clients[0].pushedRequests", "requires pushed requests", "remove"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, binding: asUsed}]\nidp:\n", 1, "clients[0].binding", "requires bound tokens", "dpop, dpopNonce or certificate"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, requestAlgorithm: RS256}]\nidp:\n", 1, "clients[0].requestAlgorithm", "by RS256", "ES256"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, authenticationAlgorithm: RS256}]\nidp:\n", 1, "clients[0].authenticationAlgorithm", "by RS256", "ES256"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, accessToken: {algorithm: RS256}}]\nidp:\n", 1, "clients[0].accessToken", "by RS256", "ES256"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, idToken: {algorithm: RS256}}]\nidp:\n", 1, "clients[0].idToken", "by RS256", "ES256"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: [privateKeyJwt], jwksUri: \"https://a/k\", "
            + "profile: fapi2, userInfo: {algorithm: RS256}}]\nidp:\n", 1, "clients[0].userInfo", "by RS256", "ES256"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], profile: fapi1}]\nidp:\n", 1, "clients[0].profile", "fapi1", "fapi2"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], scopes: [\"a b\"]}]\nidp:\n", 1, "clients[0].scopes[0]",
            "is not a scope", "without spaces"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], scopes: [\"claim:email\"]}]\nidp:\n", 1, "clients[0].scopes[0]",
            "is not a scope", "does not begin with claim:"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\", \"https://b/cb\"], subject: pairwise}]\nidp:\n", 1,
            "clients[0].sector", "not all https addresses of one host", "names the sector"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"org.example.app:/cb\"], subject: pairwise}]\nidp:\n", 1,
            "clients[0].sector", "not all https addresses of one host", "names the sector"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"org.example.app://a/cb\"], subject: pairwise}]\nidp:\n", 1,
            "clients[0].sector", "not all https addresses of one host", "names the sector"),
        of("idp:\n", "idp:\n  oauth: {scopes: {\"two words\": [email]}}\n", 2, "idp.oauth.scopes", "is not a scope", "without spaces"),
        of("idp:\n", "idp:\n  oauth: {claims: {aud: departmentNumber}}\n", 2, "idp.oauth.claims", "has “aud”", "another name"),
        of("idp:\n", "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], idToken: {keyEncryption: ECDH-ES}}]\nidp:\n", 1,
            "clients[0].idToken.keyEncryption", "needs the client's keys", "jwks"),
        // Routes.
        of(path, "  - access: public\n", 13, "routes[0].path", "is missing", "prefix"),
        of(upstream, "", 13, "routes[0].upstream", "is missing", "http://127.0.0.1:9000"),
        of(path, "  - path: app/\n", 13, "routes[0].path", "not a plain path", "slash"),
        of(path, "  - path: /a/../b\n", 13, "routes[0].path", "dot segment", "without it"),
        of(path, "  - path: //a\n", 13, "routes[0].path", "not a plain path", "empty segment"),
        of(path, "  - path: /a%2fb\n", 13, "routes[0].path", "not a plain path", "encoded"),
        of(path, "  - path: /a;b\n", 13, "routes[0].path", "not a plain path", "semicolon"),
        of(path, "  - path: /.gatehouse/x\n", 13, "routes[0].path", "belongs to Gatehouse", "outside"),
        // Limits, rewriting, WebSockets, pages.
        of(upstream, upstream + "    limits: {body: 10}\n", 15, "routes[0].limits.body", "is not a size", "64MB"),
        of(upstream, upstream + "    limits: {perAddress: 10}\n", 15, "routes[0].limits.perAddress", "is not a rate", "50/s"),
        of(upstream, upstream + "    limits: {perAddress: 0/s}\n", 15, "routes[0].limits.perAddress", "is not a rate", "50/s"),
        of(upstream, upstream + "    limits: {perUser: 1/s}\n", 15, "routes[0].limits.perUser", "not a known key", "perPerson"),
        of(upstream, upstream + "    access: public\n    limits: {perPerson: 1/s}\n", 16, "routes[0].limits.perPerson", "no person is known",
            "perAddress"),
        of(upstream, upstream + "    rewrite: {path: {from: /x, to: /}}\n", 15, "routes[0].rewrite.path.from",
            "not what the route's path begins with", "write /"),
        of(upstream, upstream + "    rewrite: {path: {from: /, to: /../x}}\n", 15, "routes[0].rewrite.path.to", "not a plain path", "no dot segment"),
        of(upstream, upstream + "    rewrite: {path: {from: /}}\n", 15, "routes[0].rewrite.path.to", "is missing", "like /"),
        of(upstream, upstream + "    rewrite: {stripPrefix: true, path: {from: /, to: /x}}\n", 15, "routes[0].rewrite.path", "beside stripPrefix",
            "keep one"),
        of(upstream, upstream + "    webSocket: {origins: [\"https://a/b\"]}\n", 15, "routes[0].webSocket.origins[0]", "has a path", "https://a"),
        of(upstream, upstream + "    webSocket: {origins: [\"*\"]}\n", 15, "routes[0].webSocket.origins[0]", "not an http or https URL",
            "absolute URL"),
        of(upstream, upstream + "    webSocket: {idle: 0s}\n", 15, "routes[0].webSocket.idle", "out of range", "1s to 1d"),
        of(upstream, upstream + "    securityHeaders: strict\n", 15, "routes[0].securityHeaders", "`strict` is not known here", "standard"),
        of(upstream, upstream + "    securityHeaders: {hsts: 1y}\n", 15, "routes[0].securityHeaders.hsts", "no Strict-Transport-Security", "max-age"),
        of(upstream, upstream + "    securityHeaders: {frameOptions: allow}\n", 15, "routes[0].securityHeaders.frameOptions", "not known here",
            "sameorigin"),
        of(upstream, upstream + "    securityHeaders: {permissionsPolicy: \"a\\r\\nb: c\"}\n", 15, "routes[0].securityHeaders.permissionsPolicy",
            "no header may have", "ASCII"),
        of(upstream, upstream + "    errorPages: {200: demo.yaml}\n", 15, "routes[0].errorPages.200", "no status of an error", "5xx"),
        of(upstream, upstream + "    errorPages: {404: missing.html}\n", 15, "routes[0].errorPages.404", "cannot read the file", "readable"),
        of(upstream, upstream + "    maintenance: {until: tomorrow}\n", 15, "routes[0].maintenance.until", "is no time", "2026-12-24"),
        of(upstream, upstream + "    maintenance: {allow: everyone}\n", 15, "routes[0].maintenance.allow", "not a block of addresses", "10.0.0.0/8"),
        of(upstream, "    upstream: http://app.localhost:8000\n", 14, "routes[0].upstream", "this gateway itself", "app listens"),
        of(upstream, "    upstream: ftp://x\n", 14, "routes[0].upstream", "not an http or https URL", "absolute"),
        of(upstream, "    upstream: http://x/?q\n", 14, "routes[0].upstream", "has a query", "base path"),
        of(upstream, "    upstream: {}\n", 14, "routes[0].upstream.servers", "is missing", "one URL or more"),
        of(upstream, "    upstream: {servers: [\"http://a\", \"http://a:80/x\"]}\n", 14, "routes[0].upstream.servers[1]", "is there twice",
            "keep one"),
        of(upstream, "    upstream: {servers: [{url: \"http://a\", backup: true}]}\n", 14, "routes[0].upstream.servers", "all backups",
            "backup: true"),
        of(upstream, "    upstream: {servers: [{weight: 2}]}\n", 14, "routes[0].upstream.servers[0].url", "is missing", "app's origin"),
        of(upstream, "    upstream: {servers: [{url: \"http://a\", weight: 0}]}\n", 14, "routes[0].upstream.servers[0].weight", "from 1 to 1000",
            "number"),
        of(upstream, "    upstream: {servers: \"http://app.localhost:8000\"}\n", 14, "routes[0].upstream.servers", "this gateway itself",
            "app listens"),
        of(upstream, "    upstream: {servers: \"http://a\", balance: random}\n", 14, "routes[0].upstream.balance", "`random` is not known",
            "leastOutstanding"),
        of(upstream, "    upstream: {servers: \"http://a\", balance: {}}\n", 14, "routes[0].upstream.balance", "neither cookie nor header",
            "{cookie: NAME}"),
        of(upstream, "    upstream: {servers: \"http://a\", balance: {cookie: \"a b\"}}\n", 14, "routes[0].upstream.balance.cookie",
            "no name of a cookie", "letters"),
        of(upstream, "    upstream: {servers: \"http://a\", health: {}}\n", 14, "routes[0].upstream.health.path", "is missing", "/health"),
        of(upstream, "    upstream: {servers: \"http://a\", health: {path: health}}\n", 14, "routes[0].upstream.health.path", "is no path", "slash"),
        of(upstream, "    upstream: {servers: \"http://a\", health: {path: /, status: 399-200}}\n", 14, "routes[0].upstream.health.status",
            "is no status", "lesser"),
        of(upstream, "    upstream: {servers: \"http://a\", passive: {outFor: 1ms}}\n", 14, "routes[0].upstream.passive.outFor", "out of range",
            "100ms"),
        of(upstream, "    upstream: {servers: \"http://a\", retries: {budget: 101}}\n", 14, "routes[0].upstream.retries.budget", "from 0 to 100",
            "number"),
        of(upstream, "    upstream: {servers: \"http://a\", timeouts: {whole: 0s}}\n", 14, "routes[0].upstream.timeouts.whole", "out of range",
            "50ms"),
        of(upstream, "    upstream: {servers: \"http://a\", tls: {ca: rsa.pem}}\n", 14, "routes[0].upstream.tls", "no server uses https", "https://"),
        of(upstream, "    upstream: {servers: \"https://a\", tls: {ca: rsa.key}}\n", 14, "routes[0].upstream.tls.ca", "not a PEM certificate",
            "BEGIN CERTIFICATE"),
        of(upstream, "    upstream: {servers: \"https://a\", tls: {clientKey: rsa.key}}\n", 14, "routes[0].upstream.tls.clientKey",
            "without clientCertificate", "both"),
        of(upstream, "    upstream: {servers: \"https://a\", tls: {clientKey: rsa.key, clientCertificate: ec.pem}}\n", 14,
            "routes[0].upstream.tls.clientKey", "does not match", "together"),
        of(upstream, "    upstream: {servers: \"https://a\", tls: {serverName: \"a b\"}}\n", 14, "routes[0].upstream.tls.serverName", "no host name",
            "certificate"),
        of(upstream, "    upstream: {servers: \"https://a\", tls: {verify: false}}\n", 14, "routes[0].upstream.tls.verify", "not a known key",
            "known here"),
        of(upstream, upstream + "    hosts: [wiki.localhost]\n", 15, "routes[0].hosts[0]", "not a host of this realm's sp", "sp.otherOrigins"),
        of(upstream, upstream + "    hosts: []\n", 15, "routes[0].hosts", "names no host", "remove the key"),
        of(upstream, upstream + "    roles: []\n", 15, "routes[0].roles", "names no role", "remove the key"),
        of(upstream, upstream + "    access: open\n", 15, "routes[0].access", "not known", "public"),
        of(upstream, upstream + "    access: public\n    inject: {X-U: user}\n", 16, "routes[0].inject", "public route", "protected"),
        of(upstream, upstream + "    access: public\n    replayPosts: true\n", 16, "routes[0].replayPosts", "public route", "remove"),
        of(upstream, upstream + "    policies: [nobody]\n", 15, "routes[0].policies[0]", "not a policy of this realm", "add it"),
        of(upstream, upstream + "    rules: []\n", 15, "routes[0].rules", "contains no rule", "permit"),
        of(upstream, upstream + "    rules:\n      - {name: x}\n", 16, "routes[0].rules[0].permit", "is missing, and deny too", "one of them"),
        of(upstream, upstream + "    rules:\n      - {permit: everybody, deny: everybody}\n", 16, "routes[0].rules[0].deny", "beside permit",
            "one of them"),
        of(upstream, upstream + "    rules:\n      - permit: {}\n", 16, "routes[0].rules[0].permit", "names no condition", "everybody"),
        of(upstream, upstream + "    rules:\n      - permit: {roles: []}\n", 16, "routes[0].rules[0].permit.roles", "empty list", "remove"),
        of(upstream, upstream + "    rules:\n      - permit: {attributes: {a: []}}\n", 16, "routes[0].rules[0].permit.attributes.a", "empty list",
            "remove"),
        of(upstream, upstream + "    rules:\n      - permit: {user: '{who}'}\n", 16, "routes[0].rules[0].permit.user", "not a variable", "path"),
        of(upstream, upstream + "    rules:\n      - permit: {methods: get}\n", 16, "routes[0].rules[0].permit.methods", "not a method", "capitals"),
        of(upstream, upstream + "    rules:\n      - permit: {methods: TRACE}\n", 16, "routes[0].rules[0].permit.methods", "never let through",
            "remove"),
        of(upstream, upstream + "    rules:\n      - permit: {contract: strong}\n", 16, "routes[0].rules[0].permit.contract", "not known here",
            "mfa"),
        of(upstream, upstream + "    rules:\n      - permit: {addresses: 10.0.0.1/8}\n", 16, "routes[0].rules[0].permit.addresses",
            "right of its prefix", "10.0.0.0/8"),
        of(upstream, upstream + "    rules:\n      - permit: {time: {days: mon}}\n", 16, "routes[0].rules[0].permit.time.zone", "is missing",
            "Europe/Berlin"),
        of(upstream, upstream + "    rules:\n      - permit: {time: {zone: UTC, from: '08:00'}}\n", 16, "routes[0].rules[0].permit.time.to",
            "is missing", "both"),
        of(upstream, upstream + "    rules:\n      - permit: {when: 'person.usr == 1'}\n", 16, "routes[0].rules[0].permit.when",
            "line 1, column 1 of the expression: undeclared", "CEL"),
        of(upstream, upstream + "    rules:\n      - permit: {when: 'person.user'}\n", 16, "routes[0].rules[0].permit.when", "expected type 'bool'",
            "CEL"),
        of(upstream, upstream + "    access: public\n    rules:\n      - permit: {roles: a}\n", 16, "routes[0].rules", "public route",
            "access: public"),
        of(upstream, upstream + "    methods: []\n", 15, "routes[0].methods", "names no method", "GET"),
        of("/\n" + upstream, "/{a}/{a}\n" + upstream, 13, "routes[0].path", "one variable twice", "name of its own"),
        of("/\n" + upstream, "/x{a}\n" + upstream, 13, "routes[0].path", "no variable", "whole segment"),
        of(upstream, upstream + "    contract: digest\n", 15, "routes[0].contract", "`digest` is not known here", "basic"),
        of(upstream, upstream + "    access: public\n    contract: basic\n", 16, "routes[0].contract", "public route", "remove"),
        of(upstream, upstream + "    contract: basic\n    replayPosts: true\n", 16, "routes[0].replayPosts", "no effect with contract: basic",
            "form"),
        of(upstream, upstream + "    contract: basic\n    authnContext: urn:x\n", 16, "routes[0].authnContext", "no effect with contract: basic",
            "form"),
        of(upstream, upstream + "    passwordCache: 1m\n", 15, "routes[0].passwordCache", "no effect without contract: basic", "write"),
        of(upstream, upstream + "    contract: basic\n    passwordCache: 2d\n", 16, "routes[0].passwordCache", "out of range", "1d"),
        of(upstream, upstream + "    contract: certificate\n", 15, "routes[0].contract", "rules that map certificates", "idp.contracts.certificate"),
        of(upstream, upstream + "    session: {}\n", 15, "routes[0].session", "is empty", "idle"),
        of(upstream, upstream + "    access: public\n    session: {idle: 5m}\n", 16, "routes[0].session", "public route", "remove"),
        of(upstream, upstream + "    session: {idle: 2h, absolute: 1h}\n", 15, "routes[0].session.idle", "longer than absolute", "shorter"),
        of(upstream, upstream + "    inject: {Host: user}\n", 15, "routes[0].inject.Host", "not a header", "letters"),
        of(upstream, upstream + "    inject: {X_User: user}\n", 15, "routes[0].inject.X_User", "not a header", "hyphens"),
        of(upstream, upstream + "    inject: {X-User: user, x-user: uid}\n", 15, "routes[0].inject.x-user", "another case", "keep one"),
        of(upstream, upstream + "    inject: {X-User: session.nmeId}\n", 15, "routes[0].inject.X-User", "`session.nmeId` is not known of a session",
            "session.nameId"),
        of(upstream, upstream + "    inject: {headers: {X-User: user}, X-Mail: mail}\n", 15, "routes[0].inject.X-Mail", "not a known key",
            "known here: "),
        of(upstream, upstream + "    inject: {query: {\"u d\": user}}\n", 15, "routes[0].inject.query.u d", "not a plain name", "tilde"),
        of(upstream, upstream + "    inject: {query: {uid: user, UID: mail}}\n", 15, "routes[0].inject.query.UID", "another case", "keep one"),
        of(upstream, upstream + "    inject: {cookies: {__Host-GH_app: user}}\n", 15, "routes[0].inject.cookies.__Host-GH_app", "Gatehouse's own",
            "gh_"),
        of(upstream, upstream + "    inject: {basic: {password: x}}\n", 15, "routes[0].inject.basic.user", "is missing", "write user"),
        of(upstream, upstream + "    inject: {basic: {user: user}}\n", 15, "routes[0].inject.basic.password", "is missing", "passwordFrom"),
        of(upstream, upstream + "    inject: {basic: {user: user, password: x, passwordFrom: pin}}\n", 15, "routes[0].inject.basic.password",
            "both there", "passwordFrom"),
        of(upstream, upstream + "    inject: {basic: {user: user, password: \"x\\ty\"}}\n", 15, "routes[0].inject.basic.password",
            "control character", "one line"),
        of(upstream, upstream + "    inject: {jwt: {header: X-Token}}\n", 15, "routes[0].inject.jwt.audience", "is missing", "identifier of the app"),
        of(upstream, upstream + "    inject: {jwt: {header: Cookie, audience: a}}\n", 15, "routes[0].inject.jwt.header", "not a header",
            "Authorization"),
        of(upstream, upstream + "    inject: {headers: {X-T: user}, jwt: {header: x-t, audience: a}}\n", 15, "routes[0].inject.jwt.header",
            "among headers already", "free name"),
        of(upstream, upstream + "    inject: {jwt: {audience: a, claims: {sub: mail}}}\n", 15, "routes[0].inject.jwt.claims.sub",
            "written by Gatehouse", "always there"),
        of(upstream, upstream + "    inject: {jwt: {audience: a, life: 1h}}\n", 15, "routes[0].inject.jwt.life", "out of range", "10s to 10m"),
        of(upstream, upstream + "    inject: {jwt: {audience: a, algorithm: HS256}}\n", 15, "routes[0].inject.jwt.algorithm", "not known", "RS256"),
        of(upstream, upstream + "    inject: {basic: {user: user, password: x}, jwt: {header: Authorization, audience: a}}\n", 15,
            "routes[0].inject.basic", "both in Authorization", "header of its own"),
        of(upstream, upstream + "    inject: {forwardAuth: authentik}\n", 15, "routes[0].inject.forwardAuth", "not known", "x-auth-request"),
        of(upstream, "    upstream: none\n    inject: {query: {uid: user}}\n", 15, "routes[0].inject.query", "another proxy serves", "headers"),
        of(upstream, upstream + "  - path: /\n    upstream: http://127.0.0.1:1\n    name: b\n", 15, "routes[1].path",
            "/ on app.localhost is there already, on line 13", "keep one"),
        of(path, "  - path: /a/\n    upstream: http://127.0.0.1:1\n  - path: /a\n", 15, "routes[1].path", "/a on app.localhost is there already",
            "keep one"),
        of(upstream, "    name: a\n" + upstream + "  - path: /b\n    upstream: http://127.0.0.1:1\n    name: a\n", 18, "routes[1].name",
            "route a is there already", "name of its own"),
        // Form fill: line 15 begins it.
        of(upstream, upstream + "    formFill: {form: {id: login}, fields: {u: user}}\n", 15, "routes[0].formFill.form.path", "is missing",
            "like /login"),
        of(upstream, upstream + "    formFill: {form: {path: \"https://evil.example/\"}, fields: {u: user}}\n", 15, "routes[0].formFill.form.path",
            "not a path of the app", "no host"),
        of(upstream, upstream + "    formFill: {form: {path: /login}}\n", 15, "routes[0].formFill.fields", "names no field", "password: password"),
        of(upstream, upstream + "    formFill: {form: {path: /pages/*}, fields: {u: user}}\n", 15, "routes[0].formFill.form",
            "may match several pages", "form.action"),
        of(upstream, upstream + "    methods: [GET]\n    formFill: {form: {path: /login}, fields: {u: user}}\n", 16, "routes[0].formFill", "by POST",
            "add POST"),
        of(upstream, upstream + "    formFill: {form: {path: /login}, fields: {p: \"secret:\"}}\n", 15, "routes[0].formFill.fields.p",
            "names no secret", "secret:password"),
        of(upstream, upstream + "    formFill: {form: {path: /login, action: \"//evil.example/\"}, fields: {u: user}}\n", 15,
            "routes[0].formFill.form.action", "not a path of the app", "one slash"),
        of(upstream, upstream + "    formFill: {form: {path: /login}, fields: {u: user}, submit: browser}\n", 15, "routes[0].formFill.submit",
            "not a known key", "known here"),
        of(upstream, upstream + "    formFill: {form: {path: /login}, post: {url: \"https://evil.example/\", fields: {u: user}}}\n", 15,
            "routes[0].formFill.post.url", "not a path of the app", "no host"),
        of(upstream, upstream + "    formFill: {form: {path: /login}, post: {url: /api}}\n", 15, "routes[0].formFill.post.fields", "names no field",
            "password: password"),
        of(upstream, upstream + "    formFill: {app: \"a/b\", form: {path: /login}, fields: {u: user}}\n", 15, "routes[0].formFill.app",
            "not an app's name", "letters"),
        of(upstream, upstream + "    access: public\n    formFill: {form: {path: /login}, fields: {u: user}}\n", 16, "routes[0].formFill",
            "needs people who are logged in", "access: protected"),
        // Passwords leave the idp encrypted, and to a Gatehouse only.
        of(release, release + "    credentialRelease: true\n", 12, "partners[1].credentialRelease", "not encrypted", "encrypt: [assertion]"),
        // Keys.
        of("idp:\n", "keys: {algorithm: rsa-1024}\nidp:\n", 1, "keys.algorithm", "not known", "rsa-2048, rsa-3072, p-256"),
        of("idp:\n", "keys: {privateKey: rsa.key}\nidp:\n", 1, "keys.certificate", "is missing", "both"),
        of("idp:\n", "keys: {certificate: rsa.pem}\nidp:\n", 1, "keys.privateKey", "is missing", "both"),
        of("idp:\n", "keys: {privateKey: rsa.key, certificate: ec.pem}\nidp:\n", 1, "keys.privateKey", "does not match", "together"),
        of("idp:\n", "keys: {privateKey: other.key, certificate: rsa.pem}\nidp:\n", 1, "keys.privateKey", "does not match", "together"),
        of("idp:\n", "keys: {privateKey: rsa.pem, certificate: rsa.pem}\nidp:\n", 1, "keys.privateKey", "not a PEM private key", "PKCS#8"),
        of("idp:\n", "keys: {privateKey: old.key, certificate: rsa.pem}\nidp:\n", 1, "keys.privateKey", "openssl pkcs8 -topk8", "PKCS#8"),
        of("idp:\n", "keys: {privateKey: locked.key, certificate: rsa.pem}\nidp:\n", 1, "keys.privateKey", "is encrypted", "PKCS#8"),
        of("idp:\n", "keys: {algorithm: p-256, privateKey: rsa.key, certificate: rsa.pem}\nidp:\n", 1, "keys.algorithm", "not that of the key",
            "remove it"),
        of("idp:\n", "keys: {pkcs12: rsa.p12}\nidp:\n", 1, "keys.password", "is missing", "both"),
        of("idp:\n", "keys: {password: x}\nidp:\n", 1, "keys.password", "stands without pkcs12", "pkcs12: FILE"),
        of("idp:\n", "keys: {pkcs12: rsa.p12, password: wrong}\nidp:\n", 1, "keys.pkcs12", "cannot be opened", "password fits"),
        of("idp:\n", "keys: {pkcs12: rsa.p12, password: right, certificate: rsa.pem}\nidp:\n", 1, "keys.certificate", "beside pkcs12", "keep either"),
        // Variables.
        of("idp:\n", "brand: {displayName: \"${MISSING}\"}\nidp:\n", 1, "brand.displayName", "the environment has no MISSING", "MISSING_FILE"),
        of("idp:\n", "brand: {displayName: \"${BOTH}\"}\nidp:\n", 1, "brand.displayName", "BOTH and BOTH_FILE are both set", "one of them"),
        of("idp:\n", "brand: {displayName: \"${EMPTY}\"}\nidp:\n", 1, "brand.displayName", "is empty", "value"),
        of("idp:\n", "brand: {displayName: \"${GONE}\"}\nidp:\n", 1, "brand.displayName", "GONE_FILE names a file that cannot be read", "exist"),
        of("idp:\n", "brand: {displayName: \"${a-b}\"}\nidp:\n", 1, "brand.displayName", "does not hold the name", "${NAME}"),
        // YAML itself.
        of("idp:\n", "idp: *x\n", 1, "-", "anchor or an alias", "quote"),
        of("idp:\n", "idp: &x\n", 1, "-", "anchor or an alias", "quote"),
        of("idp:\n", "idp: !!java.net.URL\n", 1, "-", "a special character begins a value", "correct it"),
        of("idp:\n", "idp: !own\n", 1, "-", "YAML tag", "remove it"),
        of("idp:\n", "<<: {}\nidp:\n", 1, "<<", "merge keys", "where they are needed"),
        of("idp:\n", "idp:\n\t", 2, "-", "is not YAML", "spaces"),
        of("idp:\n", "---\na: b\n---\nidp:\n", 3, "-", "is not YAML", "correct it"),
        of("idp:\n", "? [a]\n: b\nidp:\n", 1, "-", "not plain text", "key: value"));
  }

  /** Pairs of old and new text may follow; a pair of equal texts is nothing. */
  private static Arguments of(
      String old, String replacement, int line, String key, String message, String remedy, String... more) {
    return Arguments.of(old, replacement, line, key, message, remedy, List.of(more));
  }

  @ParameterizedTest(name = "[{index}] {3}: {4}")
  @MethodSource("mistakesOfARealm")
  void mistakeOfARealm(
      String old, String replacement, int line, String key, String message, String remedy, List<String> more)
      throws GeneralSecurityException, IOException {
    ConfigurationFolder folder = folderWithKeys();
    String text = replaced(ConfigurationFolder.MINIMAL, old, replacement);
    for (int i = 0; i < more.size(); i += 2) {
      text = more.get(i).equals("x") ? text : replaced(text, more.get(i), more.get(i + 1));
    }
    folder.demo(text);

    assertOnly(folder.problems(), path.resolve("realms/demo.yaml"), line, key, message, remedy);
  }

  static Stream<Arguments> mistakesOfTheNode() {
    return Stream.of(
        node("roles: [idp, proxy]", 1, "roles[1]", "not known", "idp, sp, gateway"),
        node("roles: []", 1, "roles", "names no role", "idp, sp, gateway"),
        node("space: {low: 2GB, warning: 1GB}", 1, "space.warning", "comes after new sign-ons are refused", "at least as much as low"),
        node("space: {low: 8MB, reserve: 16MB}", 1, "space.reserve", "is more than low", "at most as much as low"),
        node("memory: {reserve: 10}", 1, "memory.reserve", "not a share of the memory", "10%"),
        node("memory: {reserve: 60%}", 1, "memory.reserve", "not a share of the memory", "0% to 50%"),
        node("limits: {connections: 0}", 1, "limits.connections", "from 10 to", "number"),
        node("limits: {connections: 100, connectionsPerAddress: 200}", 1, "limits.connectionsPerAddress", "more than all", "at most 100"),
        node("limits: {apps: {connections: 10, perServer: 11}}", 1, "limits.apps.perServer", "more than all", "at most 10"),
        node("limits: {minRate: 0}", 1, "limits.minRate", "0", "number"),
        node("limits: {connectionBuffer: 1KB}", 1, "limits.connectionBuffer", "1KB", "16"),
        node("limits: {apps: {queueTime: 2h}}", 1, "limits.apps.queueTime", "2h", "1h"),
        node("memory: {buffers: 1MB}", 1, "memory.buffers", "1MB", "16"),
        node("limits: {head: 1KB}", 1, "limits.head", "out of range", "4KB"),
        node("limits: {times: {head: 0s}}", 1, "limits.times.head", "out of range", "100ms"),
        node("storage: disk", 1, "storage", "not known", "embedded"),
        node("trustedProxies: [10.0.0.0/33]", 1, "trustedProxies[0]", "not a block", "10.0.0.0/8"),
        node("trustedProxies: [proxy.example.org]", 1, "trustedProxies[0]", "not a block", "10.0.0.0/8"),
        node("trustedProxies: [10.1.2.3/8]", 1, "trustedProxies[0]", "bits right of its prefix", "10.0.0.0/8"),
        node("trustedProxies: [0.0.0.0/0]", 1, "trustedProxies[0]", "every address", "your proxies"),
        node("trustedProxies: [1.2.3.4/8/9]", 1, "trustedProxies[0]", "not a block", "10.0.0.0/8"),
        node("listeners: {idp: [{port: 70000}]}", 1, "listeners.idp[0].port", "from 0 to 65535", "number"),
        node("listeners: {idp: [{address: example.org}]}", 1, "listeners.idp[0].address", "not an address", "IP address"),
        node("listeners:\n  gateway: {port: 8080}", 2, "listeners.gateway.port", "also the port of listeners.idp", "its own"),
        node("listeners:\n  idp: [{port: 1}, {port: 1, address: 127.0.0.1}]", 2, "listeners.idp[1].port", "also the port of", "its own"),
        node("listeners: {gateway: {proxyProtocol: true}}", 1, "listeners.gateway.proxyProtocol", "close every connection", "trustedProxies"),
        node("listeners: {admin: {proxyProtocol: true}}", 1, "listeners.admin.proxyProtocol", "not a known key", "address"),
        node("forwardedFields: forwarded", 1, "forwardedFields", "no effect without trustedProxies", "trustedProxies"),
        node("trustedProxies: [10.0.0.1]\nforwardedFields: both", 2, "forwardedFields", "not known", "xForwarded"),
        node("drain: {grace: 9s}\nlimits: {times: {drain: 9s}}", 2, "limits.times.drain", "former name of drain.grace", "remove"),
        node("drain: {delay: 10m}", 1, "drain.delay", "out of range", "0d to 5m"),
        node("tracing: {sample: 1%}", 1, "tracing.endpoint", "missing", "http://127.0.0.1:4318/v1/traces"),
        node("tracing: {endpoint: collector}", 1, "tracing.endpoint", "not", "URL"),
        node("tracing: {endpoint: 'http://127.0.0.1/', sample: 101%}", 1, "tracing.sample", "not a share", "1%"),
        node("tracing: {endpoint: 'http://127.0.0.1/', sample: -1%}", 1, "tracing.sample", "not a share", "1%"),
        node("tracing: {endpoint: 'http://c.example/', authorization: x}", 1, "tracing.authorization", "clear text", "https"),
        node("tracing: {endpoint: 'https://c.example/', authorization: \"Bearer x\\n\"}", 1, "tracing.authorization", "line break",
            "one line"),
        node("tracing: {endpoint: 'https://c.example/', authorization: \"Bearer \\u20ac\"}", 1, "tracing.authorization", "ASCII",
            "one line"),
        node("metrics: {labelValues: 0}", 1, "metrics.labelValues", "from 1 to 100000", "number"),
        node("listeners:\n  metrics: {port: 8081}", 2, "listeners.metrics.port", "also the port of listeners.admin", "its own"),
        node("listeners:\n  metrics: {certificate: realms/rsa.pem}", 2, "listeners.metrics.certificate", "not a known key", "address"),
        node("listeners:\n  admin: {address: \"*\"}", 2, "listeners.admin.address", "clear text", "certificate"),
        node("listeners: {gateway: {clientCertificates: {ca: realms/rsa.pem}, certificate: realms/rsa.pem, privateKey: realms/rsa.key}}", 1,
            "listeners.gateway.clientCertificates.ca", "no authority's", "the CA itself"),
        node("listeners: {gateway: {certificates: [{certificate: realms/rsa.pem}]}}", 1, "listeners.gateway.certificates[0].certificate",
            "without privateKey", "both"),
        node("listeners: {gateway: {certificates: [{}]}}", 1, "listeners.gateway.certificates", "names no file", "privateKey"),
        node("listeners: {idp: {certificate: realms/rsa.pem}}", 1, "listeners.idp.certificate", "without privateKey", "both"),
        node("listeners: {idp: {privateKey: realms/rsa.key}}", 1, "listeners.idp.privateKey", "without certificate", "both"),
        node("listeners: {idp: {privateKey: realms/rsa.key, certificate: realms/ec.pem}}", 1, "listeners.idp.privateKey", "does not match",
            "together"),
        node("outbound: {ca: realms/rsa.pem}", 1, "outbound.ca", "no authority's", "the CA itself"),
        node("outbound: {ca: realms/rsa.key}", 1, "outbound.ca", "not a PEM certificate", "BEGIN CERTIFICATE"),
        node("outbound: {ca: realms/none.pem}", 1, "outbound.ca", "none.pem", "must exist"),
        node("outbound: {cas: realms/rsa.pem}", 1, "outbound.cas", "not a known key", "ca"),
        node("audit: {maxFileSize: 64}", 1, "audit.maxFileSize", "not a size", "64MB"),
        node("audit: {maxFileSize: 1KB}", 1, "audit.maxFileSize", "out of range", "64KB"),
        node("accessLog: {}", 1, "accessLog.file", "is missing", "log/access.log"),
        node("accessLog: {file: a, format: xml}", 1, "accessLog.format", "`xml` is not known", "json, combined"),
        node("accessLog: {file: a, maxFileSize: 1KB}", 1, "accessLog.maxFileSize", "out of range", "64KB"),
        node("accessLog: {file: a, keep: 0}", 1, "accessLog.keep", "from 1 to 1000", "number"),
        node("audit: {keep: 1h}", 1, "audit.keep", "out of range", "1d"),
        node("audit: {archive: {after: 1d}}", 1, "audit.archive.to", "is missing", "/mnt/archive"),
        node("audit: {archive: {to: data/audit/old}}", 1, "audit.archive.to", "is in the folder of the audit log", "another folder"),
        node("audit: {keep: 10d, archive: {to: /mnt/archive}}", 1, "audit.archive.after", "not before files are removed", "less than"),
        node("audit: {leaveOut: [LoginRefused]}", 1, "audit.leaveOut[0]", "`LoginRefused` is not known", "AssertionIssued, AssertionAccepted, TokensIssued"),
        node("audit: {leaveOut: [SessionEnded]}", 1, "audit.leaveOut[0]", "`SessionEnded` is not known", "TokensIssued"),
        node("audit: {leaveOut: [AccountingReceived]}", 1, "audit.leaveOut[0]", "`AccountingReceived` is not known", "TokensIssued"),
        node("audit: {unsearchable: [PasscodeDecided]}", 1, "audit.unsearchable[0]", "`PasscodeDecided` is not known", "AccountingReceived"),
        node("audit: {unsearchable: [Administered]}", 1, "audit.unsearchable[0]", "`Administered` is not known", "LogoutPropagated"),
        node("audit: {syslog: [{host: a, leaveOut: [AccessDenied]}]}", 1, "audit.syslog[0].leaveOut[0]", "`AccessDenied` is not known", "SessionEnded"),
        node("audit: {syslog: [{host: a}, {host: a}]}", 1, "audit.syslog[1].host", "is there twice", "once"),
        node("listener: {}", 1, "listener", "not a known key", "did you mean listeners?"),
        node("- a", 1, "-", "is a list", "key: value"),
        node("\u00e9: \ufffe", 0, "-", "not YAML", "printable"));
  }

  private static Arguments node(String text, int line, String key, String message, String remedy) {
    return Arguments.of(text, line, key, message, remedy);
  }

  @ParameterizedTest(name = "[{index}] {2}: {3}")
  @MethodSource("mistakesOfTheNode")
  void mistakeOfTheNode(String text, int line, String key, String message, String remedy)
      throws GeneralSecurityException, IOException {
    ConfigurationFolder folder = folderWithKeys();
    folder.node(text);

    assertOnly(folder.problems(), path.resolve("gatehouse.yaml"), line, key, message, remedy);
  }

  @Test
  void aRoleThatNoRealmServes() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node("# comment\nroles: [idp, gateway]");
    folder.demo(ConfigurationFolder.MINIMAL.replaceFirst("(?s)sp:.*?(?=directory)", "").replaceFirst("(?s)routes:.*", ""));

    assertOnly(folder.problems(), path.resolve("gatehouse.yaml"), 2, "roles", "no realm has an sp", "remove the role");
  }

  @Test
  void aHostOfTwoRealms() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.write("realms/second.yaml", ConfigurationFolder.MINIMAL.replace("realms/demo", "realms/second").replace("8000", "8001"));

    assertOnly(folder.problems(), path.resolve("realms/second.yaml"), 3, "sp", "app.localhost, which belongs to the realm demo", "own");
  }

  @Test
  void aNodeWhoseArtifactsResolveNowhere() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node("index: 1");
    String two = "\n  artifactNodes: [http://n0.localhost:1, http://n1.localhost:1]";
    folder.demo(ConfigurationFolder.MINIMAL.replace("idp.localhost:8080\nsp", "idp.localhost:8080" + two + "\nsp"));

    assertOnly(
        folder.problems(), path.resolve("realms/demo.yaml"), 4, "sp", "this node's index is 1", "origin of each node");
  }

  @Test
  void aRealmWithNeitherIdpNorSp() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).demo("brand: {displayName: X}\n");

    assertOnly(folder.problems(), path.resolve("realms/demo.yaml"), 1, "idp", "is missing, and sp too", "give the realm");
  }

  @Test
  void anIdpWithoutDirectory() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).demo("idp: {publicUrl: http://localhost:1}\n");

    assertOnly(folder.problems(), path.resolve("realms/demo.yaml"), 1, "directory", "cannot look people up", "urls and base");
  }

  @Test
  void filesThatAreNotThereOrWronglyNamed() throws IOException {
    assertThat(new ConfigurationFiles(path.resolve("nowhere"), java.util.Map.of()).check().problems())
        .extracting(Problem::message)
        .containsExactlyInAnyOrder("cannot be read", "cannot be read");

    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    Files.move(path.resolve("realms/demo.yaml"), path.resolve("realms/.demo.yaml"));
    assertOnly(folder.problems(), path.resolve("realms"), 0, "-", "contains no realm", "demo.yaml");

    Files.move(path.resolve("realms/.demo.yaml"), path.resolve("realms/demo.yml"));
    assertOnly(folder.problems(), path.resolve("realms/demo.yml"), 0, "-", "would not be read", "rename it to demo.yaml");

    Files.move(path.resolve("realms/demo.yml"), path.resolve("realms/Demo_1.yaml"));
    assertThat(folder.problems()).anySatisfy(p -> assertThat(p.remedy()).contains("lower-case"));

    Files.write(path.resolve("realms/Demo_1.yaml"), new byte[] {'a', ':', (byte) 0xff});
    assertThat(folder.problems()).anySatisfy(p -> assertThat(p.message()).isEqualTo("is not UTF-8"));
    Files.write(path.resolve("realms/Demo_1.yaml"), new byte[] {'a', ':', '\n', '\n', 'b', (byte) 0xc3, '('});
    assertThat(folder.problems())
        .filteredOn(p -> p.message().equals("is not UTF-8"))
        .singleElement()
        .satisfies(p -> assertThat(p.line()).isEqualTo(3));

    Files.write(path.resolve("realms/Demo_1.yaml"), new byte[NamedFiles.LARGEST + 1]);
    assertThat(folder.problems()).anySatisfy(p -> assertThat(p.remedy()).contains("at most 1 MB"));
  }

  @Test
  void oneMistakeIsOneProblem() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(
        "idp:\n",
        "clients: [{clientId: a, redirectUris: [\"https://a/cb\"], authentication: private_key_jwt, jwks: missing.json}]\nidp:\n");
    assertThat(folder.problems()).extracting(Problem::key).containsExactly("clients[0].jwks");

    ConfigurationFolder routes = ConfigurationFolder.minimal(path);
    routes.demo(
        "    upstream: http://127.0.0.1:9000\n",
        "    upstream: ftp://a\n    cache: true\n    methods: GET\n    limits: {body: 1MB}\n    webSocket: {idle: 5m}\n"
            + "    session: {idle: 5m}\n    securityHeaders: standard\n    rules: [{permit: everybody}]\n");
    assertThat(routes.problems()).extracting(Problem::key).containsExactly("routes[0].upstream");
  }

  @Test
  void aKeyInTheWrongPlaceIsToldWhereItBelongs() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo("idp:\n", "trustedProxies: [10.0.0.0/8]\nassertionLife: 5m\nidp:\n");
    assertThat(folder.problems()).extracting(Problem::remedy)
        .anySatisfy(remedy -> assertThat(remedy).startsWith("it belongs to the top of gatehouse.yaml; known here: "))
        .anySatisfy(remedy -> assertThat(remedy).startsWith("it belongs to idp of realms/NAME.yaml; known here: "));
  }

  @Test
  void everythingIsReportedAtOnceInTheOrderOfFilesAndLines() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.node("storage: disk\nunknown: 1\nroles: x\n");
    folder.demo("routes:\n  - path: x\n    upstream: y\nidp: {assertionLife: z}\nfoo: bar\n");

    assertThat(folder.problems())
        .extracting(p -> p.file().getFileName() + ":" + p.line() + ":" + p.key())
        .containsExactly(
            "gatehouse.yaml:1:storage",
            "gatehouse.yaml:2:unknown",
            "gatehouse.yaml:3:roles",
            "gatehouse.yaml:3:roles",
            "demo.yaml:1:directory",
            "demo.yaml:1:routes",
            "demo.yaml:2:routes[0].path",
            "demo.yaml:3:routes[0].upstream",
            "demo.yaml:4:idp.publicUrl",
            "demo.yaml:4:idp.assertionLife",
            "demo.yaml:5:foo");
  }

  /** Passwords in every place where they could be by mistake. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bindPassword: hunter2",
        "bindPassword: &hunter2",
        "bindPassword: *hunter2",
        "bindPassword: !hunter2 x",
        "bindPassword: !hunter2!x y",
        "bindPassword: %hunter2",
        "bindPassword: @hunter2",
        "bindPassword: {hunter2: x}",
        "bindPassword: [hunter2]",
        "bindPassword: ${hunter2 x}",
        "bindPassword: \"hunter2\\q\"",
        "bindPassword: \"hunter2",
        "bindPassword: hunter2: x",
        "urls: ldap://cn=x:hunter2@ldap.example.org",
        "poolSize: ${SECRET}",
        "filter: ${SECRET}",
        "trust: ${SECRET_NAMED}",
      })
  void noMessageRepeatsASecret(String line) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.environment.put("SECRET", "hunter2");
    folder.environment.put("SECRET_NAMED_FILE", "demo.yaml");
    folder.demo("  base: dc=example,dc=org\n", "  base: dc=example,dc=org\n  " + line + "\n");

    assertThat(folder.problems()).isNotEmpty();
    assertThat(folder.problems().toString()).doesNotContain("hunter2").doesNotContain("dc=example");
  }

  @Test
  void noExpressionIsGivenASecretToTellOf() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.environment.put("SECRET", "hunter2");
    folder.demo("idp:\n", "policies: [{name: told, rules: [{permit: {when: '${SECRET} == person.user'}}]}]\nidp:\n");

    assertThat(folder.problems().toString())
        .contains("takes no variable of the environment")
        .doesNotContain("hunter2");
  }

  private ConfigurationFolder folderWithKeys() throws GeneralSecurityException, IOException {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.pem("realms/rsa", SamlFixtures.idpKey()).pem("realms/ec", SamlFixtures.idpP256Key());
    folder.pem("realms/other", SamlFixtures.strangerKey());
    folder.pkcs12("realms/rsa.p12", SamlFixtures.idpKey(), "right");
    folder.write("realms/old.key", ConfigurationFolder.pem("RSA PRIVATE KEY", new byte[9]));
    folder.write("realms/locked.key", ConfigurationFolder.pem("ENCRYPTED PRIVATE KEY", new byte[9]));
    folder.write("realms/ca.pem", Files.readString(path.resolve("realms/rsa.pem")));
    folder.environment.put("BOTH", "x");
    folder.environment.put("BOTH_FILE", "x");
    folder.environment.put("EMPTY", "");
    folder.environment.put("GONE_FILE", "gone");
    assertThat(SamlFixtures.idpKey().algorithm()).isEqualTo(KeyAlgorithm.RSA_2048);
    return folder;
  }

  private static String replaced(String text, String old, String replacement) {
    assertThat(text).contains(old);
    return text.replace(old, replacement);
  }

  /** Mistakes that an editor sees, too. */
  private static final Pattern SEEN =
      Pattern.compile(".*(not a known key|is not known here|is not a duration|is not a size|neither true nor false|is not a number).*");

  private static void assertOnly(
      List<Problem> problems, Path file, int line, String key, String message, String remedy) {
    assertThat(problems).hasSize(1);
    Problem problem = problems.getFirst();
    assertThat(problem.file()).isEqualTo(file);
    assertThat(problem.line()).as(problem.toString()).isEqualTo(line);
    assertThat(problem.key()).as(problem.toString()).isEqualTo(key);
    assertThat(problem.message()).contains(message);
    assertThat(problem.remedy()).contains(remedy);
    if (SEEN.matcher(problem.message()).matches()) {
      assertThat(SchemaViolations.ofFile(file)).as(problem.toString()).isNotEmpty();
    }
  }
}
