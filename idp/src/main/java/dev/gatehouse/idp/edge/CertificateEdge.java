package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Answers the requests at the listener for client certificates. It serves one address of each realm that has
 * certificate logins, at the origin that the realm configures.
 */
public final class CertificateEdge {

  private static final String TEXT = "text/plain;charset=utf-8";

  private final Realms realms;
  private final EndpointDispatcher dispatcher;
  private final CertificateLogins logins;

  public CertificateEdge(Realms realms, EndpointDispatcher dispatcher, CertificateLogins logins) {
    this.realms = realms;
    this.dispatcher = dispatcher;
    this.logins = logins;
  }

  EdgeReply answer(EdgeRequest http, List<X509Certificate> chain) {
    if (realms.all().stream().noneMatch(realm -> isAt(http.origin(), realm))) {
      return EdgeReply.of(421, TEXT, "421 Misdirected Request\n");
    }
    Optional<Realm> realm =
        Routes.target(http.path())
            .filter(target -> target.path().equals(CertificateLogins.PATH))
            .flatMap(target -> realms.find(target.realm()))
            .filter(named -> isAt(http.origin(), named));
    if (realm.isEmpty()) {
      return EdgeReply.of(404, TEXT, "404 Not Found\n");
    }
    if (!http.isGet()) {
      return EdgeReply.of(405, TEXT, "405 Method Not Allowed\n").with("Allow", "GET, HEAD");
    }
    RealmRequest request = new RealmRequest(realm.get(), realm.get().idp().orElseThrow(), http);
    return dispatcher.answer(request, asked -> logins.handle(asked, chain));
  }

  private static boolean isAt(Origin origin, Realm realm) {
    return realm
        .idp()
        .flatMap(idp -> idp.contracts().certificate())
        .filter(login -> Origin.of(login.publicUrl()).equals(origin))
        .isPresent();
  }
}
