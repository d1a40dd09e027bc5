package dev.gatehouse.common.realm.otp;

import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code visitors} of a realm. */
public final class VisitorsYaml {

  /** The number of other realms, so that a question to all of them stays small. */
  private static final int MOST = 20;

  private static final Type<String> SUFFIX =
      Type.matching("domain", RealmDocument.SUFFIX, "is not a domain in lower case", "write what stands behind @, like branch.example.org")
          .reaching(Reach.NAME_ONLY);

  private static final Section TRUST = new Section();
  private static final Key<Document> DOCUMENT =
      TRUST.required(
          "document", Type.string("JSON file of a realm", RealmDocument::of), "branch.json", "name the file with what the other realm serves at otp/v1/realm",
          "What the other realm serves at `otp/v1/realm`, saved as a file and compared with its administrator: its address and certificates.");
  private static final Key<String> THEIRS =
      TRUST.list(
          "suffixes", SUFFIX, "e.g. [branch.example.org]",
          "What the names of its people end with; its `document` must have them, and the first one is its name here. Its word counts for nobody else.");
  private static final Key<String> ROLES = TRUST.list("roles", Type.NAME, "[]", "The roles that its people have here.");
  private static final Key<Boolean> ASKED =
      TRUST.key("asked", Type.BOOL, "false", "Whether it is asked about names without suffix that nobody here has.");
  private static final Key<Boolean> TOLD =
      TRUST.key("told", Type.BOOL, "false", "Whether it learns, when it asks about a name without suffix, that we have such a person with a token.");
  private static final Key<Integer> PER_SECOND =
      TRUST.key("perSecond", Type.integer(1, 100_000), "50",
          "Passcodes of our people that it may ask about in a second at one node; a tenth of it, names without suffix.");
  private static final Key<Duration> TIMEOUT =
      TRUST.key("timeout", Type.duration("200ms", "10s"), "3s", "How long its answer is waited for; nobody is let in without one.");

  public static final Section KEYS = new Section();
  private static final Key<String> OURS =
      KEYS.list(
          "suffixes", SUFFIX, "e.g. [example.org]",
          "What the names of our people end with at other realms, like `carol@example.org`; it may be typed here, too.");
  private static final Key<Boolean> WHOLE_NAMES =
      KEYS.key("wholeNames", Type.BOOL, "false", "Whether names in the directory have the suffix; otherwise it is cut off.");
  private static final Key<YamlValue> CERTIFICATE =
      KEYS.required(
          "certificate", Type.FILE, "otp.pem", "name a PEM file; `openssl req -x509` makes it with key",
          "The certificate by which other realms know us, self-signed as a rule; those of later keys stand behind it.");
  private static final Key<YamlValue> PRIVATE_KEY =
      KEYS.required("key", Type.SECRET_FILE, "otp.key", "name the PKCS#8 PEM file of the certificate's key", "The key of `certificate`: PKCS#8 PEM.");
  private static final Key<List<X509Certificate>> SERVER_CA =
      KEYS.required(
          "serverCa", Pems.CHAIN, "server-ca.pem", "name the PEM file of the authority of listeners.clientCertificates, or of its certificate",
          "The authority of the certificate of `listeners.clientCertificates`, or that certificate itself: other realms accept nothing else.");
  private static final Key<Void> TRUSTS =
      KEYS.sections("trusts", TRUST, "Other realms of one-time passwords whose people may come, and whom our people may visit: at most 20.");

  private VisitorsYaml() {}

  /**
   * Reads the section.
   *
   * @param hasIdp whether the realm has an identity provider
   * @param idp the same, as far as it could be read
   */
  public static Optional<OtpTrusts> read(YamlSection otp, boolean hasIdp, Optional<IdpConfig> idp) {
    if (!hasIdp) {
      otp.problem(TRUSTS, "need an idp, whose people have tokens", "add idp with publicUrl");
    }
    idp.ifPresent(config -> possible(otp, config));
    List<String> suffixes = List.copyOf(otp.all(OURS));
    if (otp.isEmpty(OURS)) {
      otp.problem(OURS, "is missing: other realms find ours by it", "write what the names of your people end with, like [example.org]");
    }
    List<YamlSection> sections = otp.sections(TRUSTS);
    if (sections.size() > MOST) {
      otp.problem(TRUSTS, "are " + sections.size() + " realms", "write at most " + MOST);
    }
    List<X509Certificate> certificates = otp.find(CERTIFICATE).flatMap(Pems.CHAIN.parser()).orElse(List.of());
    Optional<ClientKey> key = key(otp);
    Optional<List<X509Certificate>> authorities = otp.find(SERVER_CA);
    List<TrustedRealm> realms = new ArrayList<>();
    Owners owners = new Owners();
    suffixes.forEach(suffix -> owners.own(suffix, otp, OURS, "this realm"));
    certificates.forEach(certificate -> owners.own(certificate, otp, CERTIFICATE, "this realm"));
    sections.forEach(section -> trust(section, owners).ifPresent(realms::add));
    return key.isEmpty() || authorities.isEmpty() || suffixes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OtpTrusts(suffixes, otp.get(WHOLE_NAMES), key.get(), List.copyOf(certificates), List.copyOf(authorities.get()), List.copyOf(realms)));
  }

  private static void possible(YamlSection otp, IdpConfig idp) {
    if (idp.contracts().token().isEmpty()) {
      otp.problem(TRUSTS, "need passcodes, which this realm does not take", "add idp.contracts.token");
    }
    if (idp.oauth().certificateUrl().isEmpty()) {
      otp.problem(TRUSTS, "need an address at which other realms show their certificates", "add idp.oauth.certificateUrl and listeners.clientCertificates");
    }
  }

  private static Optional<ClientKey> key(YamlSection otp) {
    Optional<YamlValue> certificate = otp.find(CERTIFICATE);
    Optional<YamlValue> key = otp.find(PRIVATE_KEY);
    if (certificate.isEmpty() || key.isEmpty() || Pems.pair(key.get(), certificate.get()).isEmpty()) {
      return Optional.empty();
    }
    Optional<Secret> pem = key.get().secretContent().map(content -> new Secret(new String(content, StandardCharsets.US_ASCII)));
    return Pems.CERTIFICATE.parser().apply(certificate.get()).flatMap(first -> pem.map(secret -> new ClientKey(List.of(first), secret)));
  }

  private static Optional<TrustedRealm> trust(YamlSection section, Owners owners) {
    List<String> suffixes = List.copyOf(section.all(THEIRS));
    if (suffixes.isEmpty()) {
      section.problem(THEIRS, "is missing: the realm's word counts for names that end so", "write what the names of its people end with");
    }
    Optional<Document> document = section.find(DOCUMENT);
    // Administrators of this realm alone write the file, too: the node connects only where the realm may.
    document.ifPresent(read -> section.assumed(DOCUMENT, read.url().toString()).reaching(Reach.OUTBOUND));
    suffixes.forEach(suffix -> owners.own(suffix, section, THEIRS, suffixes.getFirst()));
    if (document.isPresent() && !suffixes.isEmpty()) {
      suffixes.stream()
          .filter(suffix -> !document.get().suffixes().contains(suffix))
          .forEach(
              suffix ->
                  section.problem(
                      THEIRS, "`" + suffix + "` is not in its document", "write one of " + String.join(", ", document.get().suffixes())));
      document.get().certificates().forEach(certificate -> owners.own(certificate, section, DOCUMENT, suffixes.getFirst()));
    }
    return document
        .filter(read -> !suffixes.isEmpty())
        .map(
            read ->
                new TrustedRealm(
                    suffixes, read, Set.copyOf(section.all(ROLES)), section.get(ASKED), section.get(TOLD), section.get(PER_SECOND),
                    section.get(TIMEOUT)));
  }

  /** A suffix and a certificate belong to one realm: otherwise nobody could tell whose word counts. */
  private static final class Owners {
    private final Map<Object, String> owners = new HashMap<>();

    void own(Object what, YamlSection section, Key<?> key, String realm) {
      String other = owners.putIfAbsent(what, realm);
      if (other != null) {
        String words = what instanceof String suffix ? "`" + suffix + "`" : "its certificate";
        section.problem(
            key, words + (other.equals(realm) ? " is there twice" : " is also of " + other), "give each realm suffixes and certificates of its own");
      }
    }
  }
}
