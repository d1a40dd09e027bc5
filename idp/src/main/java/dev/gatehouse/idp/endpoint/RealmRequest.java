package dev.gatehouse.idp.endpoint;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A request to a realm that has an identity provider. The realm is the snapshot that counts for the whole request.
 *
 * @param idp the realm's, present by construction
 * @param certificates the chain that the client proved to hold the key of in TLS, its own first; only at the listener for OAuth
 *     clients' certificates
 */
public record RealmRequest(Realm realm, IdpConfig idp, EdgeRequest http, List<X509Certificate> certificates) {

  private static final Pattern LANGUAGE_TAG = Pattern.compile("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,3}");
  private static final int MOST_LANGUAGES = 10;

  public RealmRequest {
    certificates = List.copyOf(certificates);
  }

  /** Without a certificate. */
  public RealmRequest(Realm realm, IdpConfig idp, EdgeRequest http) {
    this(realm, idp, http, List.of());
  }

  /** Our entity ID (SAML Core 8.3.6). */
  public String entityId() {
    return idp.entityId(realm.name());
  }

  /** The absolute address that messages and metadata use for a path of ours, whatever origin was asked. */
  public String location(String path) {
    return entityId() + "/" + path;
  }

  /** The same path on the origin that was asked: where this browser's cookies are. */
  public String here(String path) {
    return "/realms/" + realm.name() + "/" + path;
  }

  public Origin origin() {
    return http.origin();
  }

  /** The same, as of a person who prefers these languages (BCP 47) to those of the browser. */
  public RealmRequest speaking(List<String> tags) {
    List<String> known = tags.stream().filter(LANGUAGE_TAG.asMatchPredicate()).limit(MOST_LANGUAGES).toList();
    if (known.isEmpty()) {
      return this;
    }
    List<String> all = new ArrayList<>(known);
    http.headers().first("Accept-Language").ifPresent(all::add);
    return new RealmRequest(realm, idp, http.withHeaderFirst("Accept-Language", String.join(", ", all)), certificates);
  }

  public AuditEvent.Context context() {
    return AuditEvent.Context.of(realm.name(), http.client());
  }
}
