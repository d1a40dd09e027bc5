package dev.gatehouse.common.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes key pairs of RSA with 2048 bits from forty primes, each from another two of them: none twice in a JVM. A node makes four
 * of them for a realm at its first start, and finding primes is most of that. The JDK asks the next provider for other keys, and
 * when all pairs are used up. Nodes that run as processes find primes of their own.
 */
public final class TestKeyPairs extends Provider {

  private static final int BITS = 2048;
  private static final BigInteger EXPONENT = RSAKeyGenParameterSpec.F4;

  /** Read when the first pair is made. */
  private static final class Primes {
    static final List<BigInteger> ALL = read();

    private static List<BigInteger> read() {
      try (InputStream in = TestKeyPairs.class.getResourceAsStream("/test-keys/primes.txt")) {
        String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
        return text.lines().map(line -> new BigInteger(line, 16)).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final AtomicInteger MADE = new AtomicInteger();

  private TestKeyPairs() {
    super("GatehouseTestKeys", "1", "Key pairs of RSA for tests");
    put("KeyPairGenerator.RSA", Rsa.class.getName());
  }

  /** Makes this provider the first one; further calls change nothing. */
  public static void install() {
    Security.insertProviderAt(new TestKeyPairs(), 1);
  }

  /** Returns the pair of that number, which is less than {@link #number}. */
  static KeyPair pair(int number) throws GeneralSecurityException {
    int first = 0;
    int rest = number;
    while (rest >= Primes.ALL.size() - 1 - first) {
      rest -= Primes.ALL.size() - 1 - first;
      first++;
    }
    BigInteger one = Primes.ALL.get(first);
    BigInteger other = Primes.ALL.get(first + 1 + rest);
    return pair(one.max(other), one.min(other));
  }

  /** Returns how many pairs there are. */
  static int number() {
    return Primes.ALL.size() * (Primes.ALL.size() - 1) / 2;
  }

  private static KeyPair pair(BigInteger p, BigInteger q) throws GeneralSecurityException {
    BigInteger modulus = p.multiply(q);
    BigInteger beforeP = p.subtract(BigInteger.ONE);
    BigInteger beforeQ = q.subtract(BigInteger.ONE);
    BigInteger d = EXPONENT.modInverse(beforeP.multiply(beforeQ));
    KeyFactory factory = KeyFactory.getInstance("RSA");
    return new KeyPair(
        factory.generatePublic(new RSAPublicKeySpec(modulus, EXPONENT)),
        factory.generatePrivate(
            new RSAPrivateCrtKeySpec(modulus, EXPONENT, d, p, q, d.mod(beforeP), d.mod(beforeQ), q.modInverse(p))));
  }

  /** Public, because the JDK makes it by its name. */
  public static final class Rsa extends KeyPairGeneratorSpi {

    private boolean isOurs;

    @Override
    public void initialize(int bits, SecureRandom random) {
      if (bits != BITS) {
        throw new InvalidParameterException("another provider makes keys of " + bits + " bits");
      }
      isOurs = true;
    }

    @Override
    public KeyPair generateKeyPair() {
      int number = isOurs ? MADE.getAndIncrement() : number();
      if (number >= number()) {
        throw new IllegalStateException("another provider makes this key");
      }
      try {
        return pair(number);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
