package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.node.Pkcs11Config;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import javax.crypto.spec.OAEPParameterSpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A token in use: logged in once, with a session for each thread. A token that was away is opened again at the next call, at most every
 * few seconds, and each of its keys is compared with its certificate again; a PIN that it refused is not tried again.
 */
public final class Pkcs11Token implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Pkcs11Token.class);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);

  /** A DigestInfo of SHA-256 without its digest (RFC 8017, section 9.2, note 1). */
  private static final byte[] DIGEST_INFO = HexFormat.of().parseHex("3031300d060960864801650304020105000420");

  /** @param session of the login: while it is open, the others stay logged in */
  private record Open(Library library, int generation, long slot, long session, KnownKeys keys) {}

  /** Keys that were compared with their certificates, and their handles, which count until the library is started again. */
  private static final class KnownKeys {
    private record Known(String label, ByteBuffer counterpart) {}

    private final Map<Known, Long> handles = new ConcurrentHashMap<>();

    long of(Cryptoki functions, long session, String token, String label, PublicKey counterpart) throws CryptokiFailed {
      Known wanted = new Known(label, ByteBuffer.wrap(counterpart.getEncoded()));
      Long known = handles.get(wanted);
      if (known == null) {
        known = TokenObjects.keyOf(functions, session, token, label, counterpart);
        handles.put(wanted, known);
      }
      return known;
    }
  }

  private sealed interface State {
    record Closed() implements State {}

    record Ready(Open open) implements State {}

    /** @param again the time of the next try; the end of time for a PIN that was refused */
    record Away(String sentence, Instant again) implements State {}
  }

  private interface Use<T> {
    T with(Cryptoki functions, long session, long key) throws CryptokiFailed;
  }

  private record Session(Open open, long handle) {}

  private final Pkcs11Config config;
  private final TokenLogin login;
  private final InstantSource time;
  private final SignaturePool pool;
  private final Semaphore decryptions;
  private final ConcurrentLinkedQueue<Session> idle = new ConcurrentLinkedQueue<>();
  private volatile State state = new State.Closed();

  Pkcs11Token(Pkcs11Config config, Path data, Map<String, String> environment, InstantSource time) {
    this.config = config;
    this.login = new TokenLogin(config, data, environment);
    this.time = time;
    this.pool = new SignaturePool(config.name(), config.threads());
    this.decryptions = new Semaphore(config.threads() * SignaturePool.WAITING_PER_THREAD / 2);
  }

  /** Returns the name by which realms name the token. */
  public String name() {
    return config.name();
  }

  /** Returns the threads that call it. */
  public SignaturePool pool() {
    return pool;
  }

  /** Opens the token unless it is open; returns why it cannot be used, in a sentence with the remedy. */
  public Optional<String> problem() {
    try {
      return pool.call(
          () -> {
            Open open = open(null);
            Lock lock = open.library().lock().readLock();
            lock.lock();
            try {
              // A token that nobody calls is asked here, so that its loss shows before somebody needs it.
              requirePresent(open);
              return Optional.empty();
            } catch (CryptokiFailed e) {
              state = away(login.gone(e));
              return Optional.of(login.gone(e));
            } finally {
              lock.unlock();
            }
          });
    } catch (TokenUnavailable e) {
      return Optional.of(e.sentence());
    }
  }

  private static void requirePresent(Open open) throws CryptokiFailed {
    if (open.library().functions().slots().stream().noneMatch(slot -> slot.id() == open.slot())) {
      throw new CryptokiFailed("C_GetSlotList", 0xe0);
    }
  }

  /** Returns the certificate that the token holds for a key. */
  Optional<byte[]> certificate(String label) {
    return use(
        (functions, session, keys) -> {
          long key = TokenObjects.privateKey(functions, session, config.name(), label);
          return TokenObjects.certificate(functions, session, key, label);
        });
  }

  /** Throws {@link TokenUnavailable} if the key is not there, or not that of this public key. */
  void requirePair(String label, PublicKey counterpart) {
    withKey(label, counterpart, (functions, session, key) -> key);
  }

  byte[] sign(String label, PublicKey counterpart, RemoteKey.Scheme scheme, byte[] content) {
    byte[] digest = Sha256.of(content);
    return withKey(
        label,
        counterpart,
        (functions, session, key) ->
            switch (scheme) {
              case RSA_PKCS1 -> functions.sign(session, Mechanism.RSA_PKCS, key, digestInfo(digest));
              case RSA_PSS -> functions.sign(session, Mechanism.PSS, key, digest);
              case ECDSA -> functions.sign(session, Mechanism.ECDSA, key, digest);
            });
  }

  private static byte[] digestInfo(byte[] digest) {
    byte[] info = new byte[DIGEST_INFO.length + digest.length];
    System.arraycopy(DIGEST_INFO, 0, info, 0, DIGEST_INFO.length);
    System.arraycopy(digest, 0, info, DIGEST_INFO.length, digest.length);
    return info;
  }

  /** Many tokens know OAEP with some digests only: then they decrypt by RSA alone. */
  Decrypted decrypt(String label, PublicKey counterpart, OAEPParameterSpec oaep, byte[] encrypted) {
    // Strangers choose what is decrypted: signatures keep the other half of the places.
    if (!decryptions.tryAcquire()) {
      throw new TokenUnavailable("The token " + config.name() + " has too much to decrypt.");
    }
    try {
      return withKey(label, counterpart, (functions, session, key) -> decrypted(functions, session, key, oaep, encrypted));
    } finally {
      decryptions.release();
    }
  }

  private static Decrypted decrypted(Cryptoki functions, long session, long key, OAEPParameterSpec oaep, byte[] encrypted)
      throws CryptokiFailed {
    try {
      Optional<Mechanism> mechanism = Mechanism.of(oaep);
      if (mechanism.isPresent() && begins(functions, session, mechanism.get(), key)) {
        return new Decrypted.Message(functions.decrypt(session, encrypted));
      }
      functions.beginDecryption(session, Mechanism.RSA_X_509, key);
      return new Decrypted.Padded(functions.decrypt(session, encrypted));
    } catch (CryptokiFailed e) {
      // What somebody sent must not look like a token that is away.
      if (e.isSurelyLost()) {
        throw e;
      }
      return new Decrypted.Wrong();
    }
  }

  private static boolean begins(Cryptoki functions, long session, Mechanism mechanism, long key) throws CryptokiFailed {
    try {
      functions.beginDecryption(session, mechanism, key);
      return true;
    } catch (CryptokiFailed e) {
      if (e.isSurelyLost()) {
        throw e;
      }
      return false;
    }
  }

  private <T> T withKey(String label, PublicKey counterpart, Use<T> use) {
    return use(
        (functions, session, keys) ->
            use.with(functions, session, keys.of(functions, session, config.name(), label, counterpart)));
  }

  private interface InSession<T> {
    T with(Cryptoki functions, long session, KnownKeys keys) throws CryptokiFailed;
  }

  private <T> T use(InSession<T> work) {
    return pool.call(
        () -> {
          Open open = open(null);
          try {
            return inSession(open, work);
          } catch (CryptokiFailed e) {
            if (!e.isLost()) {
              throw new IllegalStateException("The token " + config.name() + " does not do what is asked of it", e);
            }
            LOG.warn("The token {} is opened again: {}", config.name(), e.getMessage());
          }
          try {
            return inSession(open(open), work);
          } catch (CryptokiFailed e) {
            String sentence = login.gone(e);
            state = away(sentence);
            throw new TokenUnavailable(sentence);
          }
        });
  }

  private <T> T inSession(Open open, InSession<T> work) throws CryptokiFailed {
    Lock lock = open.library().lock().readLock();
    lock.lock();
    try {
      if (open.generation() != open.library().generation()) {
        throw new CryptokiFailed("C_OpenSession", 0xb3);
      }
      Session session = session(open);
      try {
        T result = work.with(open.library().functions(), session.handle(), open.keys());
        idle.add(session);
        return result;
      } catch (CryptokiFailed | RuntimeException e) {
        close(session);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes a session whose state is not known; tokens have a limited number of them. */
  private static void close(Session session) {
    try {
      session.open().library().functions().closeSession(session.handle());
    } catch (CryptokiFailed e) {
      LOG.debug("A session of a token was gone: {}", e.getMessage());
    }
  }

  private Session session(Open open) throws CryptokiFailed {
    for (Session session = idle.poll(); session != null; session = idle.poll()) {
      if (session.open().equals(open)) {
        return session;
      }
    }
    return new Session(open, open.library().functions().openSession(open.slot()));
  }

  /** @param lost what was of no use: unless another thread has opened the token since, it is opened again */
  private synchronized Open open(@Nullable Open lost) {
    switch (state) {
      case State.Ready(Open open) when !open.equals(lost) && open.generation() == open.library().generation() -> {
        return open;
      }
      case State.Away(String sentence, Instant again) when time.instant().isBefore(again) -> throw new TokenUnavailable(sentence);
      case State anyOther -> {}
    }
    boolean wasOpen = !(state instanceof State.Closed);
    try {
      // A token that works no more may need its library to start anew; one that is looked for must not disturb others.
      boolean isLost = state instanceof State.Ready(Open open) && open.generation() == open.library().generation();
      Open fresh = opened(isLost, state instanceof State.Away);
      state = new State.Ready(fresh);
      if (wasOpen) {
        LOG.info("The token {} is open again", config.name());
      }
      return fresh;
    } catch (TokenUnavailable e) {
      state = login.isRefused() ? new State.Away(e.sentence(), Instant.MAX) : away(e.sentence());
      LOG.error("{}", e.sentence());
      throw e;
    }
  }

  private Open opened(boolean isLost, boolean wasAway) {
    Library library = login.library();
    library.works(this, false);
    idle.clear();
    Lock lock = library.lock().writeLock();
    lock.lock();
    try {
      if (isLost || (wasAway || !login.isThere(library.functions())) && !library.isNeededBeside(this)) {
        library.restart();
      }
      long slot = login.slot(library.functions());
      long session = library.functions().openSession(slot);
      login.in(library.functions(), session);
      library.works(this, true);
      return new Open(library, library.generation(), slot, session, new KnownKeys());
    } catch (CryptokiFailed e) {
      throw new TokenUnavailable(login.gone(e));
    } finally {
      lock.unlock();
    }
  }

  private State.Away away(String sentence) {
    return new State.Away(sentence, time.instant().plus(BETWEEN_TRIES));
  }

  @Override
  public void close() {
    pool.close();
    if (state instanceof State.Ready(Open open)) {
      open.library().works(this, false);
      Lock lock = open.library().lock().writeLock();
      lock.lock();
      try {
        open.library().functions().closeSessions(open.slot());
      } catch (CryptokiFailed e) {
        LOG.debug("The token {} was gone at the end", config.name(), e);
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public String toString() {
    return "Pkcs11Token " + config.name();
  }
}
