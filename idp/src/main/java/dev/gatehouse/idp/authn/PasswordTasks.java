package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The password changes for which logins wait: usable once, bound to the browser, valid for ten minutes. */
public final class PasswordTasks {

  /** The name of the store. */
  public static final String STORE = "idp-password-tasks";

  private static final Duration LIFE = Duration.ofMinutes(10);

  private final SingleUseStore<PasswordTask> store;
  private final BrowserBinding browsers;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PasswordTasks(
      SingleUseStore<PasswordTask> store, BrowserBinding browsers, InstantSource clock, RandomGenerator random) {
    this.store = store;
    this.browsers = browsers;
    this.clock = clock;
    this.random = random;
  }

  /** Creates a task for the person and returns the address of its page. */
  String begin(RealmRequest request, Person person, SessionToken browser, Optional<String> pending) {
    String key = SessionToken.create(random).value();
    store.put(
        key,
        new PasswordTask(request.realm().name(), person.name(), BrowserBinding.hash(browser), pending),
        clock.instant().plus(LIFE));
    return request.here("password") + "?task=" + key;
  }

  /** Looks without taking: the page may be reloaded, and the new password may be refused. */
  Optional<PasswordTask> find(RealmRequest request, String key) {
    return store.peek(key).filter(task -> fits(request, task));
  }

  /** Takes the task: of two parallel changes, one continues. */
  boolean finish(String key) {
    return store.take(key) instanceof TakeResult.First;
  }

  private boolean fits(RealmRequest request, PasswordTask task) {
    return task.realm().equals(request.realm().name()) && browsers.matches(request, task.browser());
  }
}
