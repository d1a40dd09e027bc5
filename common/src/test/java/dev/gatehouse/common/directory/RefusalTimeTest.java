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

/** SECURITY-CASES 44 with a real slapd and a slow hash: 16 MiB Argon2, some 25 ms a bind. */
final class RefusalTimeTest {

  private static final int TRIES = 15;

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
      timeOf(directory, "ann", RefusedReason.WRONG_PASSWORD);
      long[] wrong = new long[TRIES];
      long[] unknown = new long[TRIES];
      long[] locked = new long[TRIES];
      // Alternating, so that a growing load of the machine affects all three.
      for (int i = 0; i < TRIES; i++) {
        wrong[i] = timeOf(directory, "ann", RefusedReason.WRONG_PASSWORD);
        unknown[i] = timeOf(directory, "nobody", RefusedReason.UNKNOWN_NAME);
        locked[i] = timeOf(directory, "kim", RefusedReason.LOCKED);
      }
      // Without the delay, the two are many times faster; the margin is for a busy machine.
      assertThat(median(unknown) / median(wrong)).isBetween(0.5, 2.0);
      assertThat(median(locked) / median(wrong)).isBetween(0.5, 2.0);
    }
  }

  private static long timeOf(LdapDirectory directory, String name, RefusedReason reason) {
    long start = System.nanoTime();
    assertThat(directory.authenticate(name, Password.of("wrong"))).isEqualTo(new Refused(reason));
    return System.nanoTime() - start;
  }

  private static double median(long[] times) {
    Arrays.sort(times);
    return times[TRIES / 2];
  }

  private static String slow(String uid, String hash, String more) {
    return TestPeople.person("uid=" + uid, uid, uid, more).replace("userPassword: demo", "userPassword: " + hash);
  }

  private static String argon2(String password) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "/usr/sbin/slappasswd", "-o", "module-path=/usr/lib/ldap", "-o", "module-load=argon2 m=16384 t=2 p=1", "-h",
                "{ARGON2}", "-s", password)
            .redirectErrorStream(true)
            .start();
    String hash = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(hash).startsWith("{ARGON2}");
    return hash;
  }
}
