package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/**
 * Lets agents check passcodes for some days after a login, while they reach no node. What an agent gets is for one person and token, and
 * found by a ticket that only this agent gets, at the login. The ticket counts as long as the person, the token and the PIN do.
 */
public final class OfflineDays {

  private static final String TICKET = "otp-offline-ticket";

  /** Uses are reported within so long, or never; marks against a second report are kept as long. */
  private static final Duration LATEST_REPORT = Duration.ofDays(60);

  private final PasscodeChecks parts;

  public OfflineDays(PasscodeChecks parts) {
    this.parts = parts;
  }

  /**
   * Material for a token.
   *
   * @param pinHash the kind of the PIN's hash
   * @param salt of the same
   * @param from the time step of the first code
   * @param codes of each code {@link OfflineCodes#BYTES}, in the order of their time steps
   */
  public record Material(String serial, TokenType type, int drift, long lastUsed, String pinHash, byte[] salt, long from, byte[] codes, Instant until) {}

  /**
   * A passcode that an agent decided about.
   *
   * @param id random, so that a use that is reported again is not taken twice
   * @param step the time step of the code, if the passcode was accepted
   */
  public record Use(String id, Instant at, boolean isAccepted, long step) {}

  /** Who may check which token until when. */
  private record Ticket(PersonId person, String name, String serial, String pin, Instant issued) {

    String text() {
      return String.join("\n", person.value(), name, serial, pin, String.valueOf(issued.getEpochSecond()));
    }

    static Ticket of(String text) {
      List<String> lines = text.lines().toList();
      return new Ticket(
          new PersonId(lines.get(0)), lines.get(1), lines.get(2), lines.get(3), Instant.ofEpochSecond(Long.parseLong(lines.get(4))));
    }
  }

  /** Returns the ticket of a login that counted; nothing if the token is none with a clock, or the PIN only serves to choose another. */
  public Optional<String> ticket(Realm realm, String agent, PasscodeResult.Accepted login) {
    try {
      return counted(realm, agent, login);
    } catch (DataAccessException | StoreUnavailable e) {
      // The login counts all the same.
      return Optional.empty();
    }
  }

  private Optional<String> counted(Realm realm, String agent, PasscodeResult.Accepted login) {
    PersonId person = login.person().id();
    TokenHolder holder = parts.tokens.holder(realm.name(), person);
    boolean counts = token(realm, person, login.token()).isPresent() && holder.sealedPins().isPresent() && !holder.newPin();
    if (!counts) {
      return Optional.empty();
    }
    Ticket ticket = new Ticket(person, login.person().name(), login.token(), pin(realm, person, holder), parts.clock.instant());
    byte[] sealed = parts.sealing.seal(ticket.text().getBytes(StandardCharsets.UTF_8), TICKET, realm.name(), agent);
    return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(sealed));
  }

  private Optional<Ticket> open(Realm realm, String agent, String ticket) {
    try {
      byte[] opened = parts.sealing.open(Base64.getUrlDecoder().decode(ticket), TICKET, realm.name(), agent);
      return Optional.of(Ticket.of(new String(opened, StandardCharsets.UTF_8)));
    } catch (IllegalStateException | IllegalArgumentException e) {
      // Not one of ours, or another agent's.
      return Optional.empty();
    }
  }

  /**
   * Returns the codes from a time step on to the end of the days; nothing if the ticket is none of this agent, or has ended: the agent then
   * forgets what it has.
   *
   * @throws PasscodeStoreUnavailable if the stores cannot be asked: nothing is known
   */
  public Optional<Material> material(Realm realm, String agent, ClientConfig.Passcodes rights, String ticket, long from) {
    try {
      return open(realm, agent, ticket).flatMap(known -> material(realm, agent, rights, known, from));
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
  }

  private Optional<Material> material(Realm realm, String agent, ClientConfig.Passcodes rights, Ticket ticket, long from) {
    Instant now = parts.clock.instant();
    Instant until = ticket.issued().plus(Duration.ofDays(rights.offlineDays()));
    Optional<TokenLogin> rules = PasscodeChecks.rules(realm);
    Optional<Person> person = parts.directories.of(realm).findEnabled(ticket.person());
    Optional<Token> token = token(realm, ticket.person(), ticket.serial()).filter(one -> one.isUsable(now));
    if (!now.isBefore(until) || rules.isEmpty() || token.isEmpty() || person.filter(who -> hasRole(rights, who)).isEmpty()) {
      return Optional.empty();
    }
    // Hours count here, when the agent asks, and not while it is alone.
    if (!rules.get().admits("agent:" + agent, person.get().groups(), now)) {
      return Optional.empty();
    }
    TokenHolder holder = parts.holder(realm.name(), rules.get(), ticket.person(), now);
    boolean counts = holder.sealedPins().isPresent() && !holder.newPin() && holder.wrong() < rules.get().lockAfter();
    if (!counts || !ticket.pin().equals(pin(realm, ticket.person(), holder))) {
      return Optional.empty();
    }
    return Optional.of(material(realm, token.get(), ticket.person(), holder.sealedPins().get(), from, until));
  }

  private static boolean hasRole(ClientConfig.Passcodes rights, Person person) {
    return rights.roles().isEmpty() || !Collections.disjoint(rights.roles(), person.roles());
  }

  private Material material(Realm realm, Token token, PersonId person, byte[] sealedPins, long from, Instant until) {
    TokenType type = token.type();
    long first = Math.max(from, TokenCodes.step(type, parts.clock.instant()) + token.drift() - 1);
    long last = TokenCodes.step(type, until) + token.drift() + 1;
    PinHashes.Salted pin = parts.pins.present(realm.name(), person, sealedPins);
    OfflineCodes bits = new OfflineCodes(pin.hash(), token.serial());
    TokenCodes codes = TokenSeeds.codes(parts.sealing, realm.name(), token);
    ByteBuffer all = ByteBuffer.allocate((int) Math.max(0, last - first + 1) * OfflineCodes.BYTES);
    for (long step = first; step <= last; step++) {
      all.putShort(bits.bits(step, codes.at(step)));
    }
    return new Material(token.serial(), type, token.drift(), token.lastUsed(), parts.pins.kind(), pin.salt(), first, all.array(), until);
  }

  /** A token of the person whose codes follow the clock, after the uses that its row does not have yet. */
  private Optional<Token> token(Realm realm, PersonId person, String serial) {
    return parts.tokens.of(realm.name(), person).stream()
        .filter(token -> token.serial().equals(serial) && token.type().kind() == TokenType.Kind.TOTP)
        .map(token -> parts.uses.current(realm.name(), token))
        .findFirst();
  }

  private String pin(Realm realm, PersonId person, TokenHolder holder) {
    return parts.sealing.digest(HexFormat.of().formatHex(holder.sealedPins().orElseThrow()), TICKET, realm.name(), person.value());
  }

  /**
   * Takes what an agent decided: each use is recorded once, its code is used up, and wrong passcodes are counted. Returns false if the
   * ticket is none of this agent; one that has ended counts here.
   *
   * @throws PasscodeStoreUnavailable if the stores cannot be asked: what was taken is not taken again
   */
  public boolean take(Realm realm, String agent, String ticket, List<Use> uses) {
    Optional<Ticket> known = open(realm, agent, ticket);
    try {
      known.ifPresent(who -> uses.forEach(use -> take(realm, agent, who, use)));
    } catch (DataAccessException | StoreUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
    return known.isPresent();
  }

  private void take(Realm realm, String agent, Ticket ticket, Use use) {
    Instant now = parts.clock.instant();
    if (!parts.uses.isNew(new ReplayKey(realm.name(), "otp-offline " + agent, use.id()), now.plus(LATEST_REPORT))) {
      return;
    }
    TokenLogin rules = PasscodeChecks.rules(realm).orElse(TokenLogin.USUAL);
    String outcome = use.isAccepted() ? "accepted " + ticket.serial() : "refused " + PasscodeResult.Reason.WRONG_PASSCODE;
    if (!use.isAccepted()) {
      count(realm, ticket, rules, now);
    } else if (use(realm, ticket, use, now)) {
      forgive(realm, ticket.person(), rules);
    } else {
      // Somebody should look.
      outcome += ", but the code was used elsewhere, or the token had ended";
    }
    AuditEvent.Context context = new AuditEvent.Context(realm.name(), "-", Optional.empty());
    parts.audit.record(
        new AuditEvent.PasscodeDecided(context, ticket.name(), "agent:" + agent, "offline", outcome + " at " + use.at()));
  }

  /** Nothing is stored about somebody whose token was taken back meanwhile. */
  private void count(Realm realm, Ticket ticket, TokenLogin rules, Instant now) {
    if (token(realm, ticket.person(), ticket.serial()).isPresent()) {
      parts.tokens.countWrong(realm.name(), ticket.person(), rules.lockAfter(), rules.lockFor().map(now::plus));
    }
  }

  /** As at a login; after many wrong ones only two successive codes at a node forgive. */
  private void forgive(Realm realm, PersonId person, TokenLogin rules) {
    int wrong = parts.tokens.holder(realm.name(), person).wrong();
    if (wrong > 0 && wrong < rules.nextCodeAfter()) {
      parts.tokens.forgive(realm.name(), person);
    }
  }

  private boolean use(Realm realm, Ticket ticket, Use use, Instant now) {
    Optional<Token> found = token(realm, ticket.person(), ticket.serial());
    if (found.isEmpty()) {
      return false;
    }
    Token token = found.get();
    if (use.step() < token.lastUsed()) {
      // A later code was used elsewhere before this report.
      return parts.uses.isNew(CodeUses.mark(realm.name(), token.serial(), use.step()), now.plus(LATEST_REPORT));
    }
    Tokens.Use last = new Tokens.Use(token.serial(), ticket.person(), use.step(), token.drift(), now);
    return use.step() > token.lastUsed() && parts.uses.use(realm.name(), token, last, Integer.MAX_VALUE).isPresent();
  }
}
