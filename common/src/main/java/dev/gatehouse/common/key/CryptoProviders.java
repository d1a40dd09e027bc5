package dev.gatehouse.common.key;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import com.amazon.corretto.crypto.provider.SelfTestStatus;
import java.security.Provider;
import java.security.Security;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice of the crypto provider: Amazon Corretto's where the platform has it (4 to 14 times the signatures per CPU
 * second), else the JDK's. To be installed before the first key is read.
 */
public final class CryptoProviders {

  private static final Logger LOG = LoggerFactory.getLogger(CryptoProviders.class);

  /** Chosen once, however often it is asked for. */
  private static final class Once {
    private static final String CHOSEN = choose();
  }

  private CryptoProviders() {}

  /** Installs it, at the first call only, and returns its name and version. */
  public static String install() {
    return Once.CHOSEN;
  }

  private static String choose() {
    AmazonCorrettoCryptoProvider corretto = AmazonCorrettoCryptoProvider.INSTANCE;
    if (corretto.getLoadingError() == null && corretto.runSelfTests() == SelfTestStatus.PASSED) {
      Security.removeProvider(corretto.getName());
      Security.insertProviderAt(corretto, 1);
      LOG.info("Cryptography: Amazon Corretto Crypto Provider {}", corretto.getVersionStr());
      return corretto.getName() + " " + corretto.getVersionStr();
    }
    Provider jdk = Security.getProviders()[0];
    LOG.info(
        "Cryptography: the JDK's own ({} {}); Amazon Corretto Crypto Provider is not there for this platform: {}",
        jdk.getName(),
        jdk.getVersionStr(),
        String.valueOf(corretto.getLoadingError()));
    return jdk.getName() + " " + jdk.getVersionStr();
  }
}
