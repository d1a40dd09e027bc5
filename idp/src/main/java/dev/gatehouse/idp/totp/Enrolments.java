package dev.gatehouse.idp.totp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Sets up authenticator apps: shows a secret, and stores it after the person has entered a code of it. */
public final class Enrolments {

  /** The name of the store. */
  public static final String STORE = "idp-totp-enrolments";

  private static final Duration LIFE = Duration.ofMinutes(15);
  private static final int LABEL_LENGTH = 64;

  /** The number of apps that somebody may have who proved a first step only. */
  private static final int FIRST = 1;

  private static final int SERIAL_LENGTH = 12;
  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz023456789";

  /**
   * The content of the page.
   *
   * @param uri the content of the picture as a link, because a phone cannot scan its own screen
   * @param text the secret for typing
   */
  public record Offer(QrPicture picture, String uri, String text) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /** The result of a code. */
  public sealed interface Outcome {
    /** @param recoveryCodes to be shown once; empty if the person already has some */
    record Done(List<String> recoveryCodes) implements Outcome {
      @Override
      public String toString() {
        return "Done";
      }
    }

    record WrongCode() implements Outcome {}

    /**
     * The enrolment expired, was completed, or belongs to another person or browser; or it was begun with a first step only and the person
     * has something stronger by now; or the person has the most apps that are allowed.
     */
    record Gone() implements Outcome {}
  }

  private final SingleUseStore<Enrolment> store;
  private final SecondFactors factors;
  private final AppCodes codes;
  private final HeldFactors held;
  private final SealingKey sealing;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public Enrolments(
      Stores stores,
      SecondFactors factors,
      AppCodes codes,
      HeldFactors held,
      SealingKey sealing,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.store = stores.singleUse(STORE, new JsonCodec<>(Enrolment.class));
    this.factors = factors;
    this.codes = codes;
    this.held = held;
    this.sealing = sealing;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Begins the enrolment of a first app, for a person who proved a first step and has nothing stronger.
   *
   * @return its key, for forms and addresses: useless without browser and person
   */
  public String beginFirst(RealmRequest request, Person person, String browser) {
    return begin(request, person, browser, FIRST);
  }

  /** Begins the enrolment of an app for a person who has just proved another app, or a token or strong passkey. */
  public String beginFurther(RealmRequest request, Person person, String browser) {
    return begin(request, person, browser, SecondFactors.MAX_FACTORS);
  }

  private String begin(RealmRequest request, Person person, String browser, int most) {
    String realm = request.realm().name();
    String key = SessionToken.create(random).value();
    byte[] sealed =
        sealing.seal(TotpSecret.create(random).bytes(), TotpSecret.context(realm, person.id(), key));
    store.put(key, new Enrolment(realm, person.id(), sealed, browser, most), clock.instant().plus(LIFE));
    return key;
  }

  /** The offer to show, the same at each reload. Empty if the enrolment is gone. */
  public Optional<Offer> find(RealmRequest request, Person person, String browser, String key) {
    return secret(request, person, browser, key)
        .map(
            secret -> {
              String uri = secret.uri(issuer(request), person.name(), request.idp().contracts().totp().digits());
              return new Offer(QrPicture.of(uri), uri, secret.text().replaceAll("(.{4})(?=.)", "$1 "));
            });
  }

  /**
   * Stores the app if the code is one of it.
   *
   * @param label the person's name for the app
   */
  public Outcome confirm(
      RealmRequest request, Person person, String browser, String key, String code, String label) {
    Optional<TotpSecret> secret = secret(request, person, browser, key);
    if (secret.isEmpty()) {
      return new Outcome.Gone();
    }
    Instant now = clock.instant();
    int digits = request.idp().contracts().totp().digits();
    OptionalLong step = codes.stepOf(secret.get(), digits, code.replaceAll("\\s", ""), now);
    if (step.isEmpty()) {
      return new Outcome.WrongCode();
    }
    return switch (store.take(key)) {
      case TakeResult.First<Enrolment>(var enrolment) -> keep(request, person, enrolment, secret.get(), step.getAsLong(), label);
      case TakeResult.Replayed<Enrolment> replayed -> new Outcome.Gone();
      case TakeResult.Absent<Enrolment> absent -> new Outcome.Gone();
    };
  }

  private Outcome keep(
      RealmRequest request, Person person, Enrolment enrolment, TotpSecret secret, long step, String label) {
    String realm = request.realm().name();
    Instant now = clock.instant();
    String id = serial();
    byte[] sealed = sealing.seal(secret.bytes(), TotpSecret.context(realm, person.id(), id));
    Factor factor =
        new Factor(id, named(label), request.idp().contracts().totp().digits(), sealed, now, Optional.empty());
    if (!factors.add(realm, person.id(), factor, enrolment.most())) {
      return new Outcome.Gone();
    }
    // The code that proved the app is used up. If a later one was already used, so are all earlier ones.
    codes.useFirst(request.realm(), person.id(), id, step);
    record(request, person, "enrolled");
    boolean hasRecoveryCodes = factors.recoveryCodesLeft(realm, person.id()) > 0;
    return new Outcome.Done(hasRecoveryCodes ? List.of() : makeRecoveryCodes(request, person));
  }

  /** Creates new recovery codes, to be shown once; older ones become invalid. */
  public List<String> makeRecoveryCodes(RealmRequest request, Person person) {
    String realm = request.realm().name();
    List<String> codes = RecoveryCodes.create(random);
    factors.keepRecoveryCodes(
        realm,
        person.id(),
        codes.stream()
            .map(code -> SecondFactor.digest(sealing, realm, person.id(), RecoveryCodes.normal(code).orElseThrow()))
            .collect(Collectors.toSet()));
    record(request, person, "recovery-codes-made");
    return codes;
  }

  /** Removes an app. Returns false if the person has none with this id. */
  public boolean remove(RealmRequest request, Person person, String factor) {
    boolean removed = factors.remove(request.realm().name(), person.id(), factor);
    if (removed) {
      record(request, person, "removed");
    }
    return removed;
  }

  private Optional<TotpSecret> secret(RealmRequest request, Person person, String browser, String key) {
    String realm = request.realm().name();
    return store
        .peek(key)
        .filter(e -> e.realm().equals(realm) && e.person().equals(person.id()) && e.browser().equals(browser))
        // Whoever knows the password may have begun it before its owner had something stronger, and waited.
        .filter(e -> e.most() > FIRST || !held.hasAny(request, person.id()))
        .map(e -> new TotpSecret(sealing.open(e.sealedSecret(), TotpSecret.context(realm, person.id(), key))));
  }

  /** The serial number among the tokens. */
  private String serial() {
    StringBuilder serial = new StringBuilder("app-");
    for (int i = 0; i < SERIAL_LENGTH; i++) {
      serial.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return serial.toString();
  }

  private static String issuer(RealmRequest request) {
    return request.idp().contracts().totp().issuer().orElse(request.realm().brand().displayName().replace(":", " "));
  }

  private static String named(String label) {
    String printable = label.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip();
    return printable.length() > LABEL_LENGTH ? printable.substring(0, LABEL_LENGTH) : printable;
  }

  private void record(RealmRequest request, Person person, String change) {
    audit.record(
        new AuditEvent.SecondFactorChanged(request.context(), person.id().value(), person.name(), change));
  }
}
