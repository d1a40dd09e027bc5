package dev.gatehouse.perf.jmh;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Security;

/** The crypto provider whose RSA, ECDSA and SHA-256 are measured. */
public enum Provider {
  ACCP,
  JDK;

  void install() {
    Security.removeProvider(AmazonCorrettoCryptoProvider.PROVIDER_NAME);
    if (this == ACCP) {
      AmazonCorrettoCryptoProvider.install();
      AmazonCorrettoCryptoProvider.INSTANCE.assertHealthy();
    }
  }
}
