package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.session.TokenSeal;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Holds the password of a login between the form and the assertion, for a partner that receives it
 * ({@code credentialRelease}): for ten minutes, for one use, and sealed under a key that only the browser holds.
 * Passwords are stored nowhere else.
 */
public final class PasswordRelease {

  /** The name of the store. */
  public static final String STORE = "idp-password-release";

  private static final Duration LIFE = Duration.ofMinutes(10);

  /** @param sealed base64 */
  public record Held(String realm, PersonId person, String sealed) {
    @Override
    public String toString() {
      return "Held[" + person + "]";
    }
  }

  private final SingleUseStore<Held> store;
  private final TokenSeal seal = new TokenSeal("gatehouse password release");
  private final BrowserBinding browsers;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PasswordRelease(Stores stores, BrowserBinding browsers, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new JsonCodec<>(Held.class));
    this.browsers = browsers;
    this.clock = clock;
    this.random = random;
  }

  /** Stores the password of the login that has just happened, if the waiting sign-on is to receive it. */
  void keep(
      RealmRequest request, Optional<PendingSignOn> sought, SessionToken browser, PersonId person, String password) {
    sought
        .filter(PendingSignOn::wantsPassword)
        .ifPresent(
            waits -> {
              byte[] sealed =
                  seal.seal(
                      browser, context(request, waits.key(), person), password.getBytes(StandardCharsets.UTF_8), random);
              // Replaces instead of adding: a person who goes back and submits again, or clicks twice, means the same
              // sign-on.
              store.replace(
                  waits.key() + "\n" + person.value(),
                  new Held(request.realm().name(), person, Base64.getEncoder().encodeToString(sealed)),
                  clock.instant().plus(LIFE));
            });
  }

  /** Takes the password with which this person answered the sign-on under this key. Only one caller gets it. */
  public Optional<String> take(RealmRequest request, String key, PersonId person) {
    return store.take(key + "\n" + person.value()) instanceof TakeResult.First<Held>(Held held)
            && held.realm().equals(request.realm().name())
        ? browsers
            .find(request)
            .flatMap(
                browser ->
                    seal.open(
                        browser, context(request, key, person), Base64.getDecoder().decode(held.sealed())))
            .map(plain -> new String(plain, StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private static String context(RealmRequest request, String key, PersonId person) {
    return String.join("\n", request.realm().name(), key, person.value());
  }
}
