package dev.gatehouse.common;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.key.TestKeyPairs;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests of the modules above this one sign with the provider that nodes sign with ({@code test.provider} in {@code pom.xml}), and nodes in
 * their JVM begin with prepared keys; those of this module sign with the JDK's own, which other platforms have. Found by the name of its
 * service.
 */
public final class NativeProvider implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    if ("native".equals(System.getProperty("test.provider"))) {
      CryptoProviders.install();
      TestKeyPairs.install();
    }
  }
}
