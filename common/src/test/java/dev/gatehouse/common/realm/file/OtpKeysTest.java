package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.realm.PolicyConfig.Condition.Weekly;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Access;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import dev.gatehouse.common.realm.TokenLogin.People;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of {@code otp}, and their mistakes. */
class OtpKeysTest {

  private static final String REALM =
      """
      idp: {publicUrl: "http://idp.localhost:8080", contracts: {token: {}}}
      directory: {urls: ["ldap://localhost"], base: "ou=people,dc=example,dc=org"}
      radius: {clients: {vpn: {addresses: 127.0.0.1, secret: short}, wifi: {addresses: 127.0.0.2, secret: short}}}
      """;

  private final ConfigurationFolder folder;

  OtpKeysTest(@TempDir Path path) {
    this.folder = ConfigurationFolder.minimal(path);
  }

  private TokenLogin read(String otp) throws Exception {
    folder.demo(REALM + otp);
    return folder.realm().idp().orElseThrow().contracts().token().orElseThrow();
  }

  @Test
  void everyKey() throws Exception {
    TokenLogin read =
        read(
            """
            otp:
              people:
                base: ou=staff,ou=people,dc=example,dc=org
                filter: (employeeType=staff)
                displayName: displayName
                mail: rfc822Mailbox
                groups: memberOf
                every: 1h
                mayDisable: 20
              access:
                - radius: [vpn]
                  groups: [staff, guests]
                  time: {days: [mon], from: "08:00", to: "18:00", zone: Europe/Berlin}
                - {radius: [vpn, wifi], groups: [admins]}
              deskExpiry: 30d
            """);
    assertThat(read.people())
        .contains(
            new People(
                Optional.of("ou=staff,ou=people,dc=example,dc=org"), Optional.of("(employeeType=staff)"), "displayName", "rfc822Mailbox",
                Optional.of("memberOf"), Optional.of(Duration.ofHours(1)), new Limit(20, false)));
    assertThat(read.access())
        .containsExactly(
            new Access(
                Set.of("radius:vpn"), Set.of("staff", "guests"),
                List.of(new Weekly(Set.of(DayOfWeek.MONDAY), LocalTime.of(8, 0), LocalTime.of(18, 0), ZoneId.of("Europe/Berlin")))),
            new Access(Set.of("radius:vpn", "radius:wifi"), Set.of("admins"), List.of()));
    assertThat(read.deskExpiry()).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void defaults() throws Exception {
    TokenLogin read = read("otp: {people: {}}\n");
    assertThat(read.people())
        .contains(new People(Optional.empty(), Optional.empty(), "cn", "mail", Optional.empty(), Optional.empty(), new Limit(5, true)));
    assertThat(read.access()).isEmpty();
    assertThat(read.deskExpiry()).isEqualTo(TokenLogin.USUAL_DESK_EXPIRY);
    assertThat(read("").people()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "otp: {people: {filter: '(a=b'}} | is not an LDAP filter",
        "otp: {people: {base: 'dc=elsewhere,dc=org'}} | is not below directory.base",
        "otp: {people: {mayDisable: '101%'}} | no number of people and no share",
        "otp: {people: {mayDisable: many}} | no number of people and no share",
        "otp: {people: {every: 1m}} | 5m",
        "otp: {access: [{radius: [vpnn], groups: [a]}]} | is not one of radius.clients",
        "otp: {access: [{clients: [host], groups: [a]}]} | is not one of clients with passcodes",
        "otp: {access: [{groups: [a]}]} | the rule is about no agent",
        "otp: {access: [{radius: [vpn]}]} | the rule restricts nobody",
        "otp: {access: [{radius: [vpn], time: {days: [mon]}}]} | zone",
        "otp: {deskExpiry: 1h} | 1d"
      })
  void mistakesSayWhatIsRight(String otp, String message) throws Exception {
    folder.demo(REALM + otp.strip() + "\n");
    assertThatThrownBy(() -> folder.realm()).hasMessageContaining(message.strip());
  }

  @Test
  void tokensAreNeeded() throws Exception {
    folder.demo(
        """
        idp: {publicUrl: "http://idp.localhost:8080"}
        directory: {urls: ["ldap://localhost"], base: "ou=people,dc=example,dc=org"}
        otp: {people: {}}
        """);
    assertThatThrownBy(() -> folder.realm()).hasMessageContaining("add idp.contracts.token");
  }
}
