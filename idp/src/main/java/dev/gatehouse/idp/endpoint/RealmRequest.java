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
 * A request to a realm that has an identity provider. The realm is a snapshot that is used for the whole request.
 *
 * @param idp the realm's identity provider, always present
 * @param certificates the chain whose key the client proved to hold in TLS, its own certificate first; only at the
 *     listener for OAuth clients' certificates
 */
public record RealmRequest(Realm realm, IdpConfig idp, EdgeRequest http, List<X509Certificate> certificates) {

  private static final Pattern LANGUAGE_TAG = Pattern.compile("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,3}");
  private static final int MAX_LANGUAGES = 10;

  public RealmRequest {
    certificates = List.copyOf(certificates);
  }

  /** A request without a certificate. */
  public RealmRequest(Realm realm, IdpConfig idp, EdgeRequest http) {
    this(realm, idp, http, List.of());
  }

  /** Our entity ID (SAML Core 8.3.6). */
  public String entityId() {
    return idp.entityId(realm.name());
  }

  /** The absolute address that messages and metadata use for one of our paths, independent of the requested origin. */
  public String location(String path) {
    return entityId() + "/" + path;
  }

  /** The same path at the requested origin, to which this browser sends our cookies. */
  public String here(String path) {
    return "/realms/" + realm.name() + "/" + path;
  }

  public Origin origin() {
    return http.origin();
  }

  /** The same request, with these languages (BCP 47) preferred to those of the browser. */
  public RealmRequest speaking(List<String> tags) {
    List<String> known = tags.stream().filter(LANGUAGE_TAG.asMatchPredicate()).limit(MAX_LANGUAGES).toList();
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
