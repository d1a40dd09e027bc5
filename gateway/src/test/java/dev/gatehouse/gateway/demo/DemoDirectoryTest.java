package dev.gatehouse.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import org.junit.jupiter.api.Test;

class DemoDirectoryTest {

  @Test
  void bothPeopleLogInAndKeepTheirIdOverARestart() throws LDAPException {
    assertThat(idOf("alice")).isEqualTo(idOf("alice")).endsWith("0101");
    assertThat(idOf("bob")).endsWith("0102");
  }

  @Test
  void groupsSayWhoIsWhat() throws LDAPException {
    try (DemoDirectory directory = DemoDirectory.start(0);
        LDAPConnection connection = new LDAPConnection("127.0.0.1", directory.port())) {
      String groupsOfAlice = "(member=uid=alice,ou=people,dc=example,dc=org)";
      assertThat(connection.search("dc=example,dc=org", SearchScope.SUB, groupsOfAlice, "cn").getSearchEntries())
          .extracting(entry -> entry.getAttributeValue("cn"))
          .containsExactly("employee");
    }
  }

  private static String idOf(String name) throws LDAPException {
    try (DemoDirectory directory = DemoDirectory.start(0);
        LDAPConnection connection = new LDAPConnection("127.0.0.1", directory.port())) {
      String dn = "uid=" + name + ",ou=people,dc=example,dc=org";
      assertThat(connection.bind(dn, "demo").getResultCode()).isEqualTo(ResultCode.SUCCESS);
      return connection.getEntry(dn, "entryUUID").getAttributeValue("entryUUID");
    }
  }
}
