package dev.gatehouse.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One group, however a directory spells it. */
class GroupNameTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "managers|Managers",
        "team leads| Team  Leads ",
        "cn=managers,ou=groups,dc=example,dc=org|CN=Managers, OU=Groups, DC=Example, DC=org",
        "cn=managers,ou=groups,dc=example,dc=org|cn=managers ,ou = groups;dc=example;dc=org",
        "cn=team\\, leads,dc=org|CN=Team\\2C Leads,dc=org",
        "cn=a+ou=b,dc=org|OU=B+CN=A,dc=org",
        "not=a,dn|NOT=a,DN"
      })
  void spellingsOfOneGroupAreEqual(String one, String other) {
    assertThat(GroupName.key(one)).isEqualTo(GroupName.key(other));
    assertThat(GroupName.isAny(Set.of(one), List.of("another", other))).isTrue();
    assertThat(GroupName.areAll(Set.of(one, "another"), List.of("ANOTHER", other, "more"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "managers|manager",
        "team leads|teamleads",
        "cn=managers,ou=groups,dc=org|cn=managers,ou=people,dc=org",
        "cn=managers,ou=groups,dc=org|cn=managers",
        "cn=team\\, leads,dc=org|cn=team,leads=x,dc=org",
        "managers|cn=managers"
      })
  void otherGroupsAreNot(String one, String other) {
    assertThat(GroupName.key(one)).isNotEqualTo(GroupName.key(other));
    assertThat(GroupName.isAny(Set.of(one), List.of(other))).isFalse();
    assertThat(GroupName.areAll(Set.of(one, other), List.of(one))).isFalse();
  }

  @Test
  void ofNoNamesNoneIsGivenAndAllAre() {
    assertThat(GroupName.isAny(Set.of(), List.of("a"))).isFalse();
    assertThat(GroupName.isAny(Set.of("a"), List.of())).isFalse();
    assertThat(GroupName.areAll(Set.of(), List.of())).isTrue();
    assertThat(GroupName.permits(Set.of(), List.of())).as("everybody").isTrue();
    assertThat(GroupName.permits(Set.of("a"), List.of("A"))).isTrue();
    assertThat(GroupName.permits(Set.of("a"), List.of("b"))).isFalse();
  }
}
