package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The names of fields that a client may not send to an app, in any spelling: letters are compared case-insensitively,
 * and every character that is neither letter nor digit counts as a hyphen, because CGI, WSGI and similar interfaces do
 * not distinguish them either.
 */
public final class StrippedNames {

  /**
   * Fields that apps may take for an identity, for the client's address, or for the request's real path, host, method
   * or framing.
   */
  private static final List<String> PREFIXES =
      List.of(
          // Identities, in the names that other proxies use.
          "remote-", "x-remote-", "x-auth-request-", "x-authenticated-", "x-authentik-", "x-webauth-", "x-gatehouse-",
          "x-consumer-", "x-pomerium-", "x-goog-authenticated-", "x-goog-iap-", "x-amzn-oidc-", "x-ms-client-principal",
          "x-ms-token-", "cf-access-", "oidc-", "mellon-", "shib-", "ajp-", "sm-", "smuser", "iv-", "oam-", "x-vouch-",
          "tailscale-", "teleport-",
          // Client certificates (RFC 9440).
          "client-cert-", "x-client-cert-", "x-client-dn-", "x-ssl-", "ssl-", "x-amzn-mtls-", "x-amzn-tls-", "x-tls-client-",
          "x-arr-",
          // The origin of a request.
          "x-forwarded-", "forwarded-", "x-forward-", "x-proxy-", "x-proxyuser-", "proxy-", "wl-proxy-", "x-real-",
          "true-client-", "x-originating-", "cf-connecting-", "fastly-client-", "x-azure-", "x-appengine-", "x-vercel-",
          // The request's real target.
          "x-original-", "x-rewrite-", "x-envoy-", "x-http-", "x-accel-", "x-middleware-request-", "x-middleware-subrequest-",
          "x-invoke-");

  private static final List<String> NAMES =
      List.of(
          "proxy",
          "forwarded",
          "auth-user",
          "auth-type",
          "x-user",
          "x-userinfo",
          "smuser",
          "x-ms-client-principal",
          "x-anonymous-consumer",
          "x-credential-identifier",
          "client-cert",
          "x-client-cert",
          "x-client-dn",
          "x-client-verify",
          "x-forwarded",
          "client-ip",
          "http-client-ip",
          "x-client-ip",
          "x-cluster-client-ip",
          "x-custom-ip-authorization",
          "x-nf-client-connection-ip",
          "x-sucuri-clientip",
          "incap-client-ip",
          "fly-client-ip",
          "do-connecting-ip",
          "cf-visitor",
          "cf-ipcountry",
          "cf-pseudo-ipv4",
          "fastly-ssl",
          "front-end-https",
          "x-https",
          "x-scheme",
          "x-proto",
          "x-url-scheme",
          "x-host",
          "x-host-override",
          "x-method-override",
          "x-override-url",
          "x-unencoded-url",
          "x-waws-unencoded-url",
          "x-sendfile-type",
          // Internal fields of Next.js (CVE-2025-29927); its clients' x-middleware-prefetch is not one of them.
          "x-middleware-subrequest",
          "x-middleware-rewrite",
          "x-middleware-redirect",
          "x-middleware-next",
          "x-middleware-skip",
          "x-middleware-invoke",
          "x-middleware-override-headers",
          "x-middleware-set-cookie",
          "x-matched-path",
          "x-now-route-matches",
          // Fields that the gateway writes or evaluates itself.
          "x-request-id",
          "host",
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "upgrade",
          "transfer-encoding",
          "content-length",
          "expect");

  /** The number of ASCII characters. */
  private static final int CHARACTERS = 128;

  private final byte[][][] namesByLength;
  private final byte[][][] prefixes;

  /** @param injected the names that any route injects: they are stripped on every route, also on public ones */
  public StrippedNames(Collection<String> injected) {
    List<byte[]> names = new ArrayList<>();
    NAMES.forEach(name -> names.add(fold(name)));
    injected.forEach(name -> names.add(fold(name)));
    int longest = names.stream().mapToInt(n -> n.length).max().orElse(0);
    this.namesByLength = new byte[longest + 1][][];
    for (int length = 0; length <= longest; length++) {
      int wanted = length;
      namesByLength[length] = names.stream().filter(n -> n.length == wanted).toArray(byte[][]::new);
    }
    this.prefixes = new byte[2 * CHARACTERS][][];
    for (int c = 0; c < prefixes.length; c++) {
      int wanted = c;
      prefixes[c] = PREFIXES.stream().map(Ascii::bytes).filter(p -> bucket(p, 0, p.length) == wanted).toArray(byte[][]::new);
    }
  }

  /** The bucket of a name, by its first letter; after {@code x-}, with which many names begin, by the third. */
  private static int bucket(byte[] bytes, int start, int length) {
    byte first = Ascii.folded(bytes[start]);
    return first == 'x' && length > 2 && Ascii.folded(bytes[start + 1]) == '-'
        ? CHARACTERS + Ascii.folded(bytes[start + 2])
        : first;
  }

  /** Returns whether a client's field of that name is dropped; for names that {@link FieldName} does not know. */
  boolean contains(Fields fields, int field) {
    byte[] bytes = fields.bytes();
    int start = fields.nameStart(field);
    int length = fields.nameEnd(field) - start;
    for (byte[] prefix : prefixes[bucket(bytes, start, length)]) {
      if (length > prefix.length && same(bytes, start, prefix)) {
        return true;
      }
    }
    if (length < namesByLength.length) {
      for (byte[] name : namesByLength[length]) {
        if (same(bytes, start, name)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean same(byte[] bytes, int start, byte[] folded) {
    for (int i = 0; i < folded.length; i++) {
      if (Ascii.folded(bytes[start + i]) != folded[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] fold(String name) {
    byte[] bytes = Ascii.bytes(name);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Ascii.folded(bytes[i]);
    }
    return bytes;
  }
}
