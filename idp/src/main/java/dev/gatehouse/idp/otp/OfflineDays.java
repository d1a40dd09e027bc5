package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.idp.otp.FetchLimits.Exceeded;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/**
 * Lets agents check passcodes for some days after a login, while they reach no node. What an agent gets is for one person and token, and
 * found by a ticket that only this agent gets, at the login. The ticket counts as long as the person, the token and the PIN do.
 */
public final class OfflineDays {

  private static final String TICKET = "otp-offline-ticket";

  private static final Duration LATEST_REPORT = DaysGivenOut.LATEST_REPORT;

  /** The clocks of an agent and of a node may differ by so much. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(60);

  /** An agent looks for codes one step around its time; the drift may have changed by another one meanwhile. */
  private static final int STEPS_APART = 2;

  private static final String USED_TWICE = ", but the code was used elsewhere, or the token had ended";

  private static final Result<Optional<Material>, Exceeded> ENDED = Result.accepted(Optional.empty());

  private final PasscodeChecks parts;
  private final FetchLimits limits;

  public OfflineDays(PasscodeChecks parts) {
    this.parts = parts;
    this.limits = new FetchLimits(parts.clock);
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

  /**
   * Who may check which token until when.
   *
   * @param isNoted whether marks of the token's codes are kept for reports; those of former versions were not
   */
  private record Ticket(PersonId person, String name, String serial, String pin, Instant issued, boolean isNoted) {

    byte[] toBytes() {
      Map<String, Object> json =
          Map.of(
              "person", person.value(), "name", name, "serial", serial, "pin", pin, "issued", issued.getEpochSecond(), "noted",
              String.valueOf(isNoted));
      return StrictJson.write(json).getBytes(StandardCharsets.UTF_8);
    }

    static Ticket of(byte[] bytes) {
      Map<String, Object> json = StrictJson.object(bytes).orElseThrow(() -> new IllegalArgumentException("no ticket"));
      if (!(json.get("issued") instanceof Number issued)) {
        throw new IllegalArgumentException("no ticket");
      }
      return new Ticket(
          new PersonId(text(json, "person")), text(json, "name"), text(json, "serial"), text(json, "pin"),
          Instant.ofEpochSecond(issued.longValue()), "true".equals(json.get("noted")));
    }

    private static String text(Map<String, Object> json, String name) {
      if (json.get(name) instanceof String text) {
        return text;
      }
      throw new IllegalArgumentException("no ticket");
    }
  }

  /** Returns the ticket of a login that counted; nothing if the token is none with a clock, or the PIN only serves to choose another. */
  public Optional<String> ticket(Realm realm, String agent, ClientConfig.Passcodes rights, PasscodeResult.Accepted login) {
    try {
      return counted(realm, agent, rights, login);
    } catch (DataAccessException | StoreUnavailable e) {
      // The login counts all the same.
      return Optional.empty();
    }
  }

  private Optional<String> counted(Realm realm, String agent, ClientConfig.Passcodes rights, PasscodeResult.Accepted login) {
    PersonId person = login.person().id();
    TokenHolder holder = parts.tokens.holder(realm.name(), person);
    boolean counts = token(realm, person, login.token()).isPresent() && holder.sealedPins().isPresent() && !holder.newPin();
    if (!counts) {
      return Optional.empty();
    }
    Instant now = parts.clock.instant();
    // Before any agent can let the person in alone.
    parts.given.give(realm, login.token(), now.plus(Duration.ofDays(rights.offlineDays())));
    Ticket ticket =
        new Ticket(person, login.person().name(), login.token(), pin(realm, person, holder), now, parts.given.isOn(realm));
    byte[] sealed = parts.sealing.seal(ticket.toBytes(), TICKET, realm.name(), agent);
    return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(sealed));
  }

  private Optional<Ticket> open(Realm realm, String agent, String ticket) {
    try {
      byte[] opened = parts.sealing.open(Base64.getUrlDecoder().decode(ticket), TICKET, realm.name(), agent);
      return Optional.of(Ticket.of(opened));
    } catch (IllegalStateException | IllegalArgumentException e) {
      // Not one of ours, or another agent's.
      return Optional.empty();
    }
  }

  /**
   * Returns the codes from a time step on to the end of the days; nothing if the ticket is none of this agent, or has ended: the agent then
   * forgets what it has. Refuses to make more codes than the limits allow.
   *
   * @throws PasscodeStoreUnavailable if the stores cannot be asked: nothing is known
   */
  public Result<Optional<Material>, Exceeded> material(
      Realm realm, String agent, ClientConfig.Passcodes rights, String ticket, long from) {
    try {
      return open(realm, agent, ticket).map(known -> material(realm, agent, rights, known, from)).orElse(ENDED);
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
  }

  private Result<Optional<Material>, Exceeded> material(
      Realm realm, String agent, ClientConfig.Passcodes rights, Ticket ticket, long from) {
    Instant now = parts.clock.instant();
    Instant until = ticket.issued().plus(Duration.ofDays(rights.offlineDays()));
    Optional<TokenLogin> rules = PasscodeChecks.rules(realm);
    Optional<Person> person = parts.directories.of(realm).findEnabled(ticket.person());
    Optional<Token> token = token(realm, ticket.person(), ticket.serial()).filter(one -> one.isUsable(now));
    if (!now.isBefore(until) || rules.isEmpty() || token.isEmpty() || person.filter(who -> GroupName.permits(rights.roles(), who.roles())).isEmpty()) {
      return ENDED;
    }
    // Hours count here, when the agent asks, and not while it is alone.
    if (!rules.get().admits("agent:" + agent, person.get().groups(), now)) {
      return ENDED;
    }
    TokenHolder holder = parts.holder(realm.name(), rules.get(), ticket.person(), now);
    boolean counts = holder.sealedPins().isPresent() && !holder.newPin() && holder.wrong() < rules.get().lockAfter();
    if (!counts || !ticket.pin().equals(pin(realm, ticket.person(), holder))) {
      return ENDED;
    }
    TokenType type = token.get().type();
    long first = Math.max(from, TokenCodes.step(type, now) + token.get().drift() - 1);
    long last = TokenCodes.step(type, until) + token.get().drift() + 1;
    Optional<Exceeded> exceeded = limits.count(realm.name(), agent, rights, ticket.person(), Math.max(0, last - first + 1));
    if (exceeded.isPresent()) {
      return Result.refused(exceeded.get());
    }
    PinHashes.Salted pin = parts.pins.present(realm.name(), ticket.person(), holder.sealedPins().get());
    byte[] codes = codes(realm, token.get(), pin, first, last);
    Material material =
        new Material(
            token.get().serial(), type, token.get().drift(), token.get().lastUsed(), parts.pins.kind(), pin.salt(), first, codes, until);
    if (codes.length > 0) {
      // The days may be more than at the login.
      parts.given.give(realm, token.get().serial(), until);
      AuditEvent.Context context = new AuditEvent.Context(realm.name(), "-", Optional.empty());
      parts.audit.record(
          new AuditEvent.PasscodeDecided(
              context, ticket.name(), "agent:" + agent, "offline-days", token.get().serial() + " until " + until));
    }
    return Result.accepted(Optional.of(material));
  }

  private byte[] codes(Realm realm, Token token, PinHashes.Salted pin, long first, long last) {
    OfflineCodes bits = new OfflineCodes(pin.hash(), token.serial());
    TokenCodes codes = TokenSeeds.codes(parts.sealing, realm.name(), token);
    ByteBuffer all = ByteBuffer.allocate((int) Math.max(0, last - first + 1) * OfflineCodes.BYTES);
    for (long step = first; step <= last; step++) {
      all.putShort(bits.bits(step, codes.at(step)));
    }
    return all.array();
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
   * Takes what an agent decided: each use is recorded once, its code is used up, and wrong passcodes are counted. It never forgives wrong
   * ones: nobody here saw the passcode. What cannot have happened so is recorded, and changes nothing. Returns false if the ticket is none
   * of this agent; one that has ended counts for what was before.
   *
   * @throws PasscodeStoreUnavailable if the stores cannot be asked: what was taken is not taken again
   */
  public boolean take(Realm realm, String agent, ClientConfig.Passcodes rights, String ticket, List<Use> uses) {
    Optional<Ticket> known = open(realm, agent, ticket);
    try {
      known.ifPresent(who -> uses.forEach(use -> take(realm, agent, rights, who, use)));
    } catch (DataAccessException | StoreUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
    return known.isPresent();
  }

  private void take(Realm realm, String agent, ClientConfig.Passcodes rights, Ticket ticket, Use use) {
    Instant now = parts.clock.instant();
    ReplayKey report = new ReplayKey(realm.name(), "otp-offline " + agent, use.id());
    if (parts.uses.isMarked(report)) {
      return;
    }
    Optional<Token> token = token(realm, ticket.person(), ticket.serial());
    boolean counts = wasThen(rights, ticket, use, now) && token.filter(one -> use.isAccepted() && !isOfItsTime(one, use)).isEmpty();
    String outcome = use.isAccepted() ? "accepted " + ticket.serial() : "refused " + PasscodeResult.Reason.WRONG_PASSCODE;
    if (!counts) {
      outcome += ", which was not taken: its time is outside the days, or not that of the code";
    } else if (use.isAccepted()) {
      // Somebody should look at what was used twice.
      outcome += token.map(one -> use(realm, agent, ticket, one, use, now)).orElse(USED_TWICE);
    }
    AuditEvent.Context context = new AuditEvent.Context(realm.name(), "-", Optional.empty());
    parts.audit.record(
        new AuditEvent.PasscodeDecided(context, ticket.name(), "agent:" + agent, "offline", outcome + " at " + use.at()));
    if (counts && !use.isAccepted()) {
      // After the record: a log that is full counts nobody's wrong passcode again and again.
      count(realm, ticket, now);
    }
    // Last: what fails before is taken when it is reported again.
    parts.uses.isNew(report, now.plus(LATEST_REPORT));
  }

  /** Returns whether the agent could decide at that time, and reports it while its mark is there. */
  private static boolean wasThen(ClientConfig.Passcodes rights, Ticket ticket, Use use, Instant now) {
    Instant until = ticket.issued().plus(Duration.ofDays(rights.offlineDays()));
    return !use.at().isBefore(ticket.issued().minus(CLOCKS_APART))
        && !use.at().isBefore(now.minus(LATEST_REPORT))
        && !use.at().isAfter(now.plus(CLOCKS_APART))
        && !use.at().isAfter(until);
  }

  private static boolean isOfItsTime(Token token, Use use) {
    return Math.abs(use.step() - TokenCodes.step(token.type(), use.at()) - token.drift()) <= STEPS_APART;
  }

  /** Nothing is stored about somebody whose token was taken back meanwhile. */
  private void count(Realm realm, Ticket ticket, Instant now) {
    TokenLogin rules = PasscodeChecks.rules(realm).orElse(TokenLogin.USUAL);
    if (token(realm, ticket.person(), ticket.serial()).isPresent()) {
      parts.tokens.countWrong(realm.name(), ticket.person(), rules.lockAfter(), rules.lockFor().map(now::plus));
    }
  }

  /** Uses the code up, as far as an earlier try of this report did not; returns what is to be said about it. */
  private String use(Realm realm, String agent, Ticket ticket, Token token, Use use, Instant now) {
    ReplayKey own = new ReplayKey(realm.name(), "otp-offline-used " + agent, use.id());
    if (parts.uses.isMarked(own)) {
      return "";
    }
    String said = use(realm, ticket, token, use, now);
    if (!said.equals(USED_TWICE)) {
      parts.uses.isNew(own, now.plus(LATEST_REPORT));
    }
    return said;
  }

  private String use(Realm realm, Ticket ticket, Token token, Use use, Instant now) {
    if (use.step() < token.lastUsed()) {
      // A later code was used elsewhere before this report.
      boolean isNew = parts.uses.isNew(CodeUses.mark(realm.name(), token.serial(), use.step()), now.plus(LATEST_REPORT));
      // The code of the login that gave the ticket was marked before.
      Instant noted = ticket.issued().plusSeconds((long) STEPS_APART * token.type().period());
      boolean isKept = ticket.isNoted() && use.at().isAfter(noted) && !use.at().isBefore(parts.uses.completeSince());
      boolean isKnown = isKept || use.at().plusSeconds((long) CodeUses.STEPS * token.type().period()).isAfter(now);
      return !isNew ? USED_TWICE : isKnown ? "" : ", and whether the code was used elsewhere cannot be told any more";
    }
    Tokens.Use last = new Tokens.Use(token.serial(), ticket.person(), use.step(), token.drift(), now);
    return use.step() > token.lastUsed() && parts.uses.use(realm.name(), token, last, Integer.MAX_VALUE, LATEST_REPORT).isPresent()
        ? ""
        : USED_TWICE;
  }
}
