package dev.gatehouse.common.realm.otp;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a realm of one-time passwords publishes of itself, as JSON. Administrators exchange it by a way that they trust: it has no signature,
 * because nothing but its digest, told on another way, would say whose signature it is.
 */
public final class RealmDocument {

  /** The form of a suffix: a domain. */
  static final String SUFFIX = "([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+";

  private static final String FORMAT = "gatehouse-otp-realm/1";
  private static final int MOST = 20;

  /** A sentence for the error. */
  private static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message, null, false, false);
    }
  }

  private RealmDocument() {}

  /** Reads the file that the value names. */
  static Optional<Document> of(YamlValue value) {
    return value.content().flatMap(
        content -> {
          try {
            return Optional.of(parse(content));
          } catch (Wrong e) {
            return value.wrong(value.shownPath() + " " + e.getMessage(), "save what the other realm serves at otp/v1/realm");
          }
        });
  }

  /** Reads what another realm served; empty if it is no such document. */
  public static Optional<Document> read(byte[] json) {
    try {
      return Optional.of(parse(json));
    } catch (Wrong e) {
      return Optional.empty();
    }
  }

  /** Writes the document. */
  public static byte[] write(Document document) {
    return new JsonText()
        .text("format", FORMAT)
        .texts("suffixes", document.suffixes())
        .text("url", document.url().toString())
        .texts("certificates", document.certificates().stream().map(RealmDocument::encoded).toList())
        .texts("authorities", document.authorities().stream().map(RealmDocument::encoded).toList())
        .toBytes();
  }

  private static Document parse(byte[] json) throws Wrong {
    Map<String, Object> object = StrictJson.object(json).orElseThrow(() -> new Wrong("is not a JSON object"));
    if (!FORMAT.equals(object.get("format"))) {
      throw new Wrong("has not the format " + FORMAT);
    }
    List<String> suffixes = texts(object, "suffixes").stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    for (String suffix : suffixes) {
      if (!suffix.matches(SUFFIX)) {
        throw new Wrong("has a suffix that is no domain: " + suffix);
      }
    }
    return new Document(suffixes, url(object), certificates(object, "certificates"), certificates(object, "authorities"));
  }

  private static List<String> texts(Map<String, Object> object, String name) throws Wrong {
    if (!(object.get(name) instanceof List<?> list) || list.isEmpty() || list.size() > MOST) {
      throw new Wrong("has no list \"" + name + "\" of 1 to " + MOST + " texts");
    }
    List<String> texts = new ArrayList<>();
    for (Object one : list) {
      texts.add(one instanceof String text ? text : "");
    }
    return List.copyOf(texts);
  }

  private static URI url(Map<String, Object> object) throws Wrong {
    try {
      URI url = URI.create(object.get("url") instanceof String text ? text : "");
      boolean usable = "https".equals(url.getScheme()) && url.getHost() != null && url.getRawUserInfo() == null;
      if (usable && url.getRawQuery() == null && url.getRawFragment() == null && !url.getRawPath().endsWith("/")) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new Wrong("has no \"url\" with https");
  }

  private static List<X509Certificate> certificates(Map<String, Object> object, String name) throws Wrong {
    List<X509Certificate> certificates = new ArrayList<>();
    for (String text : texts(object, name)) {
      try {
        byte[] der = Base64.getDecoder().decode(text);
        certificates.add((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new Wrong("has in \"" + name + "\" what is no certificate, base64 of DER");
      }
    }
    return List.copyOf(certificates);
  }

  private static String encoded(X509Certificate certificate) {
    try {
      return Base64.getEncoder().encodeToString(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be encoded", e);
    }
  }
}
