package dev.gatehouse.idp.otp;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.TokenRegister.Counts;
import dev.gatehouse.common.otp.TokenRegister.Filter;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The tokens of realms for administrators and help desks. */
public final class TokenHelpDesk implements TokenDesk {

  private static final String EXPIRED = "expired";
  private static final Duration SOON = Duration.ofDays(30);

  private final Tokens tokens;
  private final TokenRegister register;
  private final PinHashes pins;
  private final Realms realms;
  private final Directories directories;
  private final SealingKey sealing;
  private final InstantSource clock;
  private final RandomGenerator random;

  public TokenHelpDesk(
      Tokens tokens,
      TokenRegister register,
      PinHashes pins,
      Realms realms,
      Directories directories,
      SealingKey sealing,
      InstantSource clock,
      RandomGenerator random) {
    this.tokens = tokens;
    this.register = register;
    this.pins = pins;
    this.realms = realms;
    this.directories = directories;
    this.sealing = sealing;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public boolean isOn(String realm) {
    return realms.find(realm).flatMap(PasscodeChecks::rules).isPresent();
  }

  private TokenLogin rules(String realm) {
    return realms.find(realm).flatMap(PasscodeChecks::rules).orElse(TokenLogin.USUAL);
  }

  @Override
  public List<TokenView> page(String realm, TokenFilter filter, String after, int limit) {
    Instant now = clock.instant();
    Optional<String> state = filter.state();
    boolean expired = state.filter(EXPIRED::equals).isPresent();
    boolean enabled = state.filter("enabled"::equals).isPresent();
    Optional<Instant> before = expired ? Optional.of(filter.expiresBefore().filter(now::isAfter).orElse(now)) : filter.expiresBefore();
    Filter found =
        new Filter(
            filter.person().map(PersonId::new),
            expired ? Optional.of(Token.State.ENABLED) : state.map(word -> Token.State.valueOf(word.toUpperCase(Locale.ROOT))),
            filter.assigned(),
            filter.used(),
            enabled ? Optional.of(now) : Optional.empty(),
            before);
    return register.list(realm, found, after, limit).stream().map(token -> view(token, now)).toList();
  }

  @Override
  public Optional<TokenView> find(String realm, String serial) {
    return tokens.find(realm, serial).map(token -> view(token, clock.instant()));
  }

  @Override
  public Optional<TokenFields> fields(String realm, String serial) {
    return tokens.find(realm, serial).flatMap(
        token -> register.written(realm, serial).map(text -> new TokenFields(text.label(), text.note(), token.expiresAt())));
  }

  @Override
  public Map<String, String> labels(String realm, Collection<String> serials) {
    return register.labels(realm, serials);
  }

  @Override
  public Duration deskExpiry(String realm) {
    return rules(realm).deskExpiry();
  }

  private static TokenView view(Token token, Instant now) {
    boolean expired = token.state() == Token.State.ENABLED && token.isExpired(now);
    return new TokenView(
        token.serial(),
        word(token.type().kind()),
        word(token.type().hash()),
        token.type().digits(),
        token.type().period(),
        expired ? EXPIRED : word(token.state()),
        token.person().map(PersonId::value),
        token.expiresAt(),
        token.usedAt(),
        token.replaces());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Result<TokenView, Refusal> change(String realm, TokenView seen, Change change) {
    Instant now = clock.instant();
    Optional<Token> found = tokens.find(realm, seen.serial());
    if (found.isEmpty()) {
      return Result.refused(Refusal.TOKEN_UNKNOWN);
    }
    Token token = found.get();
    // Rights were checked for the person that the view names.
    Optional<Refusal> refusal =
        token.person().map(PersonId::value).equals(seen.person()) ? changed(realm, token, change) : Optional.of(Refusal.CHANGED);
    return refusal
        .map(Result::<TokenView, Refusal>refused)
        .orElseGet(() -> Result.accepted(tokens.find(realm, token.serial()).map(changed -> view(changed, now)).orElse(seen)));
  }

  private Optional<Refusal> changed(String realm, Token token, Change change) {
    return switch (change) {
      case Change.Assign(String person) -> assign(realm, token, person);
      case Change.Unassign() ->
          token.person().isEmpty()
              ? Optional.of(Refusal.HAS_NO_OWNER)
              : asSeen(tokens.unassign(realm, token.serial(), token.person().get()));
      case Change.Enable() ->
          token.state() == Token.State.LOST
              ? Optional.of(Refusal.IS_LOST)
              : asSeen(register.change(realm, token, Token.State.ENABLED));
      case Change.Disable() ->
          token.state() == Token.State.LOST
              ? Optional.of(Refusal.IS_LOST)
              : asSeen(register.change(realm, token, Token.State.DISABLED));
      case Change.Lose() -> lose(realm, token);
      case Change.Find() -> foundAgain(realm, token);
      case Change.Expire(Optional<Instant> at) -> asSeen(register.expire(realm, token, at));
      case Change.Describe(TokenFields seen, TokenFields fields) -> asSeen(register.describe(realm, token, fields(seen), fields(fields)));
      case Change.Replace(String by) -> replace(realm, token, by);
      case Change.Resynchronise(String code, String next) -> resynchronise(realm, token, code, next);
      case Change.Remove() -> token.person().isPresent() ? Optional.of(Refusal.HAS_OWNER) : asSeen(register.remove(realm, token));
    };
  }

  private static TokenRegister.Fields fields(TokenFields fields) {
    return new TokenRegister.Fields(fields.label(), fields.note(), fields.expiresAt());
  }

  private static Optional<Refusal> asSeen(boolean done) {
    return done ? Optional.empty() : Optional.of(Refusal.CHANGED);
  }

  private Optional<Refusal> assign(String realm, Token token, String person) {
    if (token.person().isPresent()) {
      return Optional.of(Refusal.HAS_OWNER);
    }
    if (token.state() == Token.State.LOST) {
      return Optional.of(Refusal.IS_LOST);
    }
    Optional<Person> owner = person(realm, person);
    if (owner.isEmpty()) {
      return Optional.of(Refusal.PERSON_UNKNOWN);
    }
    if (register.isGone(realm, owner.get().id())) {
      return Optional.of(Refusal.PERSON_GONE);
    }
    if (tokens.of(realm, owner.get().id()).size() >= Tokens.MOST) {
      return Optional.of(Refusal.TOO_MANY);
    }
    return asSeen(tokens.assign(realm, token.serial(), owner.get().id()));
  }

  @Override
  public boolean knows(String realm, String person) {
    return person(realm, person).isPresent();
  }

  private Optional<Person> person(String realm, String person) {
    return realms.find(realm).filter(known -> known.directory().isPresent()).flatMap(known -> find(known, person));
  }

  private Optional<Person> find(Realm realm, String person) {
    return directories.of(realm).find(new PersonId(person));
  }

  private Optional<Refusal> lose(String realm, Token token) {
    if (token.person().isEmpty()) {
      return Optional.of(Refusal.HAS_NO_OWNER);
    }
    return AppTokens.isOne(token) ? Optional.of(Refusal.IS_APP) : asSeen(register.change(realm, token, Token.State.LOST));
  }

  private Optional<Refusal> foundAgain(String realm, Token token) {
    if (token.state() != Token.State.LOST) {
      return Optional.of(Refusal.NOT_LOST);
    }
    // A token that belongs to nobody is for somebody to enable.
    Token.State state = token.person().isPresent() ? Token.State.ENABLED : Token.State.DISABLED;
    boolean done = register.change(realm, token, state);
    if (done) {
      token.person().ifPresent(person -> register.endEmergency(realm, person));
    }
    return asSeen(done);
  }

  private Optional<Refusal> replace(String realm, Token token, String by) {
    if (token.person().isEmpty()) {
      return Optional.of(Refusal.HAS_NO_OWNER);
    }
    if (tokens.of(realm, token.person().get()).size() >= Tokens.MOST) {
      return Optional.of(Refusal.TOO_MANY);
    }
    return register.replace(realm, token, by) ? Optional.empty() : Optional.of(Refusal.REPLACEMENT_NOT_FREE);
  }

  private Optional<Refusal> resynchronise(String realm, Token token, String code, String next) {
    Optional<SuccessiveCodes.Found> found = SuccessiveCodes.find(sealing, realm, token, code, next, clock.instant());
    // Nobody tells a help desk a PIN.
    if (found.filter(one -> one.pin().isEmpty()).isEmpty()) {
      return Optional.of(Refusal.CODES_WRONG);
    }
    boolean done = tokens.resynchronise(realm, token.serial(), found.get().used(), found.get().drift());
    return done ? Optional.empty() : Optional.of(Refusal.CODES_USED);
  }

  @Override
  public List<String> challenges(String realm, String serial) {
    return tokens.find(realm, serial)
        .filter(token -> OcraTokens.isCounting(token) && OcraTokens.suite(token).pin().isEmpty())
        .map(token -> OcraTokens.pair(sealing, realm, token, clock.instant()))
        .orElse(List.of());
  }

  @Override
  public TokenHolderView holder(String realm, String person) {
    Instant now = clock.instant();
    PersonId id = new PersonId(person);
    TokenHolder holder = tokens.holder(realm, id);
    boolean lasts = holder.lockedUntil().map(now::isBefore).orElse(true);
    return new TokenHolderView(
        person,
        tokens.of(realm, id).stream().map(token -> view(token, now)).toList(),
        holder.sealedPins().isPresent(),
        holder.newPin(),
        holder.wrong(),
        holder.wrong() >= rules(realm).lockAfter() && lasts,
        holder.lockedUntil().filter(now::isBefore),
        register.emergency(realm, id, now).map(one -> new StandInView(one.fixed() ? "password" : "codes", one.left(), one.until())));
  }

  @Override
  public Result<String, Refusal> resetPin(String realm, String person) {
    PersonId id = new PersonId(person);
    Optional<Refusal> refusal = refusal(realm, id);
    if (refusal.isPresent()) {
      return Result.refused(refusal.get());
    }
    TokenLogin.Pin policy = rules(realm).pin();
    Optional<byte[]> before = tokens.holder(realm, id).sealedPins();
    String pin = PinPolicy.create(policy, random);
    byte[] sealed = pins.sealed(realm, id, before, pin, policy.former());
    return tokens.replacePins(realm, id, before, sealed, true) ? Result.accepted(pin) : Result.refused(Refusal.CHANGED);
  }

  private Optional<Refusal> refusal(String realm, PersonId person) {
    if (!isOn(realm)) {
      return Optional.of(Refusal.TOKENS_OFF);
    }
    return tokens.of(realm, person).isEmpty() ? Optional.of(Refusal.NO_TOKEN) : Optional.empty();
  }

  @Override
  public int unlock(String realm, String person) {
    PersonId id = new PersonId(person);
    int wrong = tokens.holder(realm, id).wrong();
    tokens.unlock(realm, id);
    return wrong;
  }

  @Override
  public Result<StandIn, Refusal> standIn(String realm, String person, int codes, Instant until) {
    PersonId id = new PersonId(person);
    Optional<Refusal> refusal = refusal(realm, id);
    if (refusal.isPresent()) {
      return Result.refused(refusal.get());
    }
    Map<String, String> digests = new TreeMap<>();
    List<String> values = new ArrayList<>();
    IntStream.range(0, Math.max(1, codes))
        .mapToObj(i -> Emergencies.create(random))
        .forEach(
            value -> {
              values.add(value);
              digests.put(Emergencies.digest(sealing, realm, id, value), value);
            });
    tokens.keepEmergency(realm, id, digests.keySet(), codes == 0, until);
    return Result.accepted(new StandIn(codes == 0 ? "password" : "codes", List.copyOf(values), until));
  }

  @Override
  public boolean endStandIn(String realm, String person) {
    return register.endEmergency(realm, new PersonId(person));
  }

  @Override
  public TokenReport report(String realm) {
    Instant now = clock.instant();
    Counts counts = register.counts(realm, now, now.plus(SOON), rules(realm).lockAfter());
    Map<String, Long> states = new TreeMap<>();
    for (Token.State state : Token.State.values()) {
      states.put(word(state), counts.byState().getOrDefault(state, 0L));
    }
    long all = states.values().stream().mapToLong(Long::longValue).sum();
    return new TokenReport(
        states, counts.assigned(), all - counts.assigned(), counts.expired(), counts.expiring(), counts.neverUsed(),
        counts.lockedPeople(), counts.withoutPin(), now);
  }
}
