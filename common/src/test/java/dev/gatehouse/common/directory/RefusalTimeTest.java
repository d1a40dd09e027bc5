package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** SECURITY-CASES 44 with a real slapd and a slow hash: 64 MiB Argon2, some 100 ms a bind. */
final class RefusalTimeTest {

  private static final int TRIES = 9;

  @Test
  void unknownWrongAndLockedTakeTheSameTime() throws Exception {
    Slapd.requireInstalled();
    String hash = argon2("demo");
    String people =
        slow("ann", hash, "") + slow("kim", hash, "pwdAccountLockedTime: 000001010000Z\n");
    String policy =
        """
        dn: cn=default,dc=example,dc=org
        objectClass: device
        objectClass: pwdPolicy
        cn: default
        pwdAttribute: userPassword
        pwdLockout: TRUE
        pwdMaxFailure: 1000

        """;
    try (Slapd slapd =
            Slapd.start(
                List.of("ppolicy_default \"cn=default,dc=example,dc=org\""), TestPeople.LDIF, policy, people);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      median(directory, "ann", RefusedReason.WRONG_PASSWORD);
      long wrong = median(directory, "ann", RefusedReason.WRONG_PASSWORD);
      long unknown = median(directory, "nobody", RefusedReason.UNKNOWN_NAME);
      long locked = median(directory, "kim", RefusedReason.LOCKED);
      // Unevened, the two are 50 times quicker; the margin is for a busy machine.
      assertThat((double) unknown / wrong).isBetween(0.6, 1.7);
      assertThat((double) locked / wrong).isBetween(0.6, 1.7);
    }
  }

  private static long median(LdapDirectory directory, String name, RefusedReason reason) {
    long[] times = new long[TRIES];
    for (int i = 0; i < TRIES; i++) {
      long start = System.nanoTime();
      assertThat(directory.authenticate(name, Password.of("wrong"))).isEqualTo(new Refused(reason));
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    return times[TRIES / 2];
  }

  private static String slow(String uid, String hash, String more) {
    return TestPeople.person("uid=" + uid, uid, uid, more).replace("userPassword: demo", "userPassword: " + hash);
  }

  private static String argon2(String password) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "/usr/sbin/slappasswd", "-o", "module-path=/usr/lib/ldap", "-o", "module-load=argon2 m=65536 t=2 p=1", "-h",
                "{ARGON2}", "-s", password)
            .redirectErrorStream(true)
            .start();
    String hash = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(hash).startsWith("{ARGON2}");
    return hash;
  }
}
