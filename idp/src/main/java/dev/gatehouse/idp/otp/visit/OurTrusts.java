package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.idp.otp.home.AskedCounts;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The trusts of this node's realms. */
final class OurTrusts implements TrustDesk {

  private static final int UNAUTHORIZED = 401;

  private final Realms realms;
  private final HomeLinks links;
  private final AskedCounts asked;

  OurTrusts(Realms realms, HomeLinks links, AskedCounts asked) {
    this.realms = realms;
    this.links = links;
    this.asked = asked;
  }

  @Override
  public List<TrustView> list(String name) {
    return realms.find(name).stream().flatMap(realm -> views(realm).stream()).toList();
  }

  private List<TrustView> views(Realm realm) {
    Optional<OtpTrusts> trusts = realm.parties().otp();
    return trusts.stream().flatMap(ours -> ours.realms().stream().map(one -> view(one, links.to(realm, ours, one), asked.of(realm.name(), one.name())))).toList();
  }

  private static TrustView view(TrustedRealm one, HomeLink link, AskedCounts.Asked asked) {
    return new TrustView(
        one.name(), one.suffixes(), one.document().url().toString(), one.roles(), one.asked(), one.told(), one.perSecond(),
        one.document().certificates().stream().map(OurTrusts::view).toList(),
        new TrustContact(
            link.circuit().isOpen(), link.circuit().lastAnswer(), link.questions(), asked.last(), asked.times()));
  }

  private static TrustCertificate view(X509Certificate certificate) {
    try {
      return new TrustCertificate(Sha256.hex(certificate.getEncoded()), certificate.getNotAfter().toInstant());
    } catch (CertificateEncodingException e) {
      // It was read from its encoded form.
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Optional<TrustTest> test(String name, String trusted) {
    Optional<Realm> realm = realms.find(name);
    Optional<OtpTrusts> trusts = realm.flatMap(found -> found.parties().otp());
    return trusts
        .flatMap(ours -> ours.realms().stream().filter(one -> one.name().equals(trusted)).findFirst())
        .map(one -> tested(one, links.to(realm.orElseThrow(), trusts.orElseThrow(), one)));
  }

  private static TrustTest tested(TrustedRealm one, HomeLink link) {
    List<String> problems = new ArrayList<>();
    Optional<String> ourName = greeted(link.get("visitors"), problems);
    if (link.get("realm") instanceof Answer.Received(int status, byte[] body, Optional<String> location) && status == 200) {
      RealmDocument.read(body)
          .filter(now -> !now.equals(one.document()))
          .ifPresent(now -> problems.add("Its document has changed: compare the new one with its administrator, and save it in place of ours."));
    }
    return new TrustTest(ourName.isPresent(), ourName, List.copyOf(problems));
  }

  private static Optional<String> greeted(Answer answer, List<String> problems) {
    return switch (answer) {
      case Answer.Failed(var cause, String problem) -> {
        problems.add("It was not reached: " + cause.text() + ".");
        yield Optional.empty();
      }
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == 200 ->
          StrictJson.object(body).flatMap(json -> json.get("trusted") instanceof String text ? Optional.of(text) : Optional.empty());
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == UNAUTHORIZED -> {
        problems.add("It does not know our certificate: its administrator needs our document, as it is now.");
        yield Optional.empty();
      }
      case Answer.Received(int status, byte[] body, Optional<String> location) -> {
        problems.add("It answered with status " + status + ": its address is wrong, or it trusts nobody.");
        yield Optional.empty();
      }
    };
  }
}
