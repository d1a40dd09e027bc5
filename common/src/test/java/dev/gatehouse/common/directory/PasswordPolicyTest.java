package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.MustChangePassword;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.PasswordChange.Changed;
import dev.gatehouse.common.directory.PasswordChange.Fault;
import dev.gatehouse.common.directory.PasswordChange.NotGoodEnough;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** draft-behera-ldap-password-policy-10 as implemented by OpenLDAP's ppolicy overlay. */
final class PasswordPolicyTest {

  private static final String POLICIES =
      """
      dn: ou=policies,dc=example,dc=org
      objectClass: organizationalUnit
      ou: policies

      dn: cn=default,ou=policies,dc=example,dc=org
      objectClass: device
      objectClass: pwdPolicy
      cn: default
      pwdAttribute: userPassword
      pwdMaxAge: 7776000
      pwdMinLength: 8
      pwdCheckQuality: 2
      pwdInHistory: 3
      pwdLockout: TRUE
      pwdMaxFailure: 3
      pwdFailureCountInterval: 600
      pwdMustChange: TRUE
      pwdAllowUserChange: TRUE

      dn: cn=grace,ou=policies,dc=example,dc=org
      objectClass: device
      objectClass: pwdPolicy
      cn: grace
      pwdAttribute: userPassword
      pwdMaxAge: 7776000
      pwdGraceAuthNLimit: 3
      pwdAllowUserChange: TRUE

      dn: cn=strict,ou=policies,dc=example,dc=org
      objectClass: device
      objectClass: pwdPolicy
      cn: strict
      pwdAttribute: userPassword
      pwdMinAge: 7200
      pwdAllowUserChange: TRUE

      dn: cn=fixed,ou=policies,dc=example,dc=org
      objectClass: device
      objectClass: pwdPolicy
      cn: fixed
      pwdAttribute: userPassword
      pwdAllowUserChange: FALSE

      """;

  private static final String PEOPLE =
      TestPeople.person("uid=reset", "reset", "Reset", "pwdReset: TRUE\n")
          + TestPeople.person("uid=expired", "expired", "Expired", "pwdChangedTime: 20200101000000Z\n")
          + TestPeople.person("uid=graced", "graced", "Graced", "pwdChangedTime: 20200101000000Z\n" + policy("grace"))
          + TestPeople.person("uid=locked", "locked", "Locked", "pwdAccountLockedTime: 000001010000Z\n")
          + TestPeople.person("uid=young", "young", "Young", policy("strict"))
          + TestPeople.person("uid=fixed", "fixed", "Fixed", policy("fixed"));

  private Slapd slapd;
  private LdapDirectory directory;

  private static String policy(String name) {
    return "pwdPolicySubentry: cn=" + name + ",ou=policies,dc=example,dc=org\n";
  }

  @BeforeEach
  void open() {
    slapd = startSlapd("");
    directory = new LdapDirectory(TestPeople.config(slapd.port()));
  }

  private static Slapd startSlapd(String more) {
    return Slapd.start(
        List.of("ppolicy_default \"cn=default,ou=policies,dc=example,dc=org\"", more), TestPeople.LDIF, POLICIES, PEOPLE);
  }

  @AfterEach
  void close() {
    directory.close();
    slapd.close();
  }

  @Test
  void aLoginWithoutAPasswordFindsNobodyWhoseAccountIsDisabled() {
    assertThat(directory.findBy("uid", "locked")).isInstanceOf(PersonSearch.One.class);
    assertThat(directory.findEnabled("uid", "locked")).isInstanceOf(PersonSearch.None.class);
    assertThat(directory.findEnabled("uid", "young")).isInstanceOf(PersonSearch.One.class);
    assertThat(directory.findEnabledAlone("uid", "locked")).isInstanceOf(PersonSearch.None.class);
    assertThat(directory.findEnabledAlone("uid", "young")).isInstanceOf(PersonSearch.One.class);
    PersonId locked = ((PersonSearch.One) directory.findBy("uid", "locked")).person().id();
    PersonId young = ((PersonSearch.One) directory.findBy("uid", "young")).person().id();
    assertThat(directory.find(locked)).isPresent();
    assertThat(directory.findEnabled(locked)).as("though the person was just found").isEmpty();
    assertThat(directory.findEnabled(young)).isPresent();
  }

  @Test
  void aSessionGoesOnForNobodyWhoseAccountIsDisabled() {
    PersonId locked = ((PersonSearch.One) directory.findBy("uid", "locked")).person().id();
    PersonId young = ((PersonSearch.One) directory.findBy("uid", "young")).person().id();
    assertThat(directory.findStillEnabled(locked)).as("though the person was just found").isEmpty();
    assertThat(directory.findStillEnabled(young)).isPresent().isEqualTo(directory.findStillEnabled(young));
  }

  @Test
  void aPasswordThatWasResetMustBeChangedAndCan() {
    assertThat(login("reset", "wrong")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    assertThat(login("reset", "demo"))
        .isInstanceOfSatisfying(
            MustChangePassword.class,
            must -> {
              assertThat(must.expired()).isFalse();
              assertThat(must.person().name()).isEqualTo("reset");
            });
    assertThat(change("reset", "demo", "Better-Secret-1")).isInstanceOf(Changed.class);
    assertThat(login("reset", "Better-Secret-1")).isInstanceOf(Accepted.class);
  }

  @Test
  void anExpiredPasswordWithAGraceLoginMustBeChangedAndCan() {
    assertThat(login("graced", "wrong")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    assertThat(login("graced", "demo"))
        .isInstanceOfSatisfying(MustChangePassword.class, must -> assertThat(must.expired()).isTrue());
    assertThat(change("graced", "demo", "Better-Secret-1")).isInstanceOf(Changed.class);
    assertThat(login("graced", "Better-Secret-1")).isInstanceOf(Accepted.class);
  }

  @Test
  void anExpiredPasswordWithoutGraceIsToldFromAWrongOne() {
    assertThat(login("expired", "wrong")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    assertThat(login("expired", "demo"))
        .isInstanceOfSatisfying(MustChangePassword.class, must -> assertThat(must.expired()).isTrue());
  }

  @Test
  void anExpiredPasswordWithoutGraceNeedsAnAdministratorWhereTheServiceMayNotChangeIt() {
    assertThat(change("expired", "demo", "Better-Secret-1"))
        .isInstanceOfSatisfying(NotGoodEnough.class, no -> assertThat(no.fault()).isEqualTo(Fault.NOT_ALLOWED));
    assertThat(change("expired", "wrong", "Better-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
  }

  @Test
  void anExpiredPasswordWithoutGraceCanBeChangedWhereTheServiceMay() {
    directory.close();
    slapd.close();
    slapd = startSlapd("access to attrs=userPassword by dn.exact=\"" + TestPeople.SERVICE + "\" write by * break");
    directory = new LdapDirectory(TestPeople.config(slapd.port()));
    assertThat(change("expired", "wrong", "Better-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
    assertThat(change("expired", "demo", "Better-Secret-1")).isInstanceOf(Changed.class);
    assertThat(login("expired", "Better-Secret-1")).isInstanceOf(Accepted.class);
  }

  /** SECURITY-CASES 44: the reason is for audit; the person sees the same as for a wrong password. */
  @Test
  void aLockedAccountIsRefusedEvenWithTheRightPassword() {
    assertThat(login("locked", "demo")).isEqualTo(new Refused(RefusedReason.LOCKED));
    assertThat(change("locked", "demo", "Better-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
    for (int i = 0; i < 3; i++) {
      assertThat(login("alice", "guess" + i)).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    }
    assertThat(login("alice", "demo")).isEqualTo(new Refused(RefusedReason.LOCKED));
    assertThat(login("bob", "demo")).isInstanceOf(Accepted.class);
  }

  /** A person who has just logged in is bound without a search; the directory must not count a guess twice because of that. */
  @Test
  void aGuessAtSomebodyWhoHasJustLoggedInCountsOnce() {
    assertThat(login("alice", "demo")).isInstanceOf(Accepted.class);
    assertThat(login("alice", "guess")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    assertThat(login("alice", "another")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    assertThat(login("alice", "demo")).as("locked after three failures").isInstanceOf(Accepted.class);
    for (int i = 0; i < 3; i++) {
      assertThat(login("alice", "guess" + i)).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    }
    assertThat(login("alice", "demo")).isEqualTo(new Refused(RefusedReason.LOCKED));
  }

  @Test
  void thePolicysFaultsAreTold() {
    assertFault("bob", "short", Fault.TOO_SHORT);
    assertThat(change("bob", "demo", "Better-Secret-1")).isInstanceOf(Changed.class);
    assertThat(change("bob", "Better-Secret-1", "Better-Secret-2")).isInstanceOf(Changed.class);
    assertThat(change("bob", "Better-Secret-2", "Better-Secret-1"))
        .isInstanceOfSatisfying(
            NotGoodEnough.class,
            no -> {
              assertThat(no.fault()).isEqualTo(Fault.IN_HISTORY);
              assertThat(no.why()).isNotBlank();
            });
    assertThat(change("young", "demo", "Better-Secret-1")).isInstanceOf(Changed.class);
    assertThat(change("young", "Better-Secret-1", "Better-Secret-2"))
        .isInstanceOfSatisfying(NotGoodEnough.class, no -> assertThat(no.fault()).isEqualTo(Fault.TOO_YOUNG));
    assertFault("fixed", "Better-Secret-1", Fault.NOT_ALLOWED);
    assertThat(login("bob", "Better-Secret-2")).isInstanceOf(Accepted.class);
  }

  private void assertFault(String name, String replacement, Fault fault) {
    assertThat(change(name, "demo", replacement))
        .isInstanceOfSatisfying(NotGoodEnough.class, no -> assertThat(no.fault()).isEqualTo(fault));
  }

  private Authentication login(String name, String password) {
    return directory.authenticate(name, Password.of(password));
  }

  private PasswordChange change(String name, String old, String replacement) {
    return directory.changePassword(name, Password.of(old), Password.of(replacement));
  }
}
