package dev.gatehouse.common.pkcs11;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A PKCS#11 library, which belongs to the whole process: starting it again ends the sessions of all its tokens. Its tokens call it
 * under the lock for reading, and start it again under the one for writing.
 */
final class Library {

  private static final Map<Path, Library> LOADED = new ConcurrentHashMap<>();

  private final Cryptoki functions;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Set<Pkcs11Token> ready = ConcurrentHashMap.newKeySet();
  private volatile int generation;

  private Library(Cryptoki functions) {
    this.functions = functions;
  }

  /** Returns the library, loaded and started; throws {@link IllegalArgumentException} if it cannot be loaded. */
  static synchronized Library of(Path path) throws CryptokiFailed {
    Path real = real(path);
    Library known = LOADED.get(real);
    if (known == null) {
      known = new Library(new Cryptoki(real));
      known.start();
      LOADED.put(real, known);
    }
    return known;
  }

  /** Returns the file behind symbolic links: the system loads it once, whatever its name is. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      // Loading it says what is wrong.
      return path;
    }
  }

  Cryptoki functions() {
    return functions;
  }

  ReentrantReadWriteLock lock() {
    return lock;
  }

  /** Returns a number that changes when the library is started again. */
  int generation() {
    return generation;
  }

  /** Notes whether a token works. */
  void works(Pkcs11Token token, boolean works) {
    if (works) {
      ready.add(token);
    } else {
      ready.remove(token);
    }
  }

  /** Returns whether another token works, whose sessions a new start would end. */
  boolean isNeededBeside(Pkcs11Token token) {
    return ready.stream().anyMatch(other -> other != token);
  }

  /** Starts the library again. The caller holds the lock for writing. */
  void restart() throws CryptokiFailed {
    generation++;
    try {
      functions.close();
    } catch (CryptokiFailed e) {
      // It was not started, or its device is gone: starting tells.
      if (!e.isLost()) {
        throw e;
      }
    }
    start();
  }

  private void start() throws CryptokiFailed {
    try {
      functions.initialize();
    } catch (CryptokiFailed e) {
      if (e.value() != CryptokiFailed.ALREADY_INITIALIZED) {
        throw e;
      }
    }
  }
}
