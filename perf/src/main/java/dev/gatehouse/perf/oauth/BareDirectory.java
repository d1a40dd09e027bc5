package dev.gatehouse.perf.oauth;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchScope;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.List;

/** Only the directory's part of a login: a search for the person by name, and a bind with the password. */
public final class BareDirectory implements ClosedLoad.User {

  public static final String ROW = "bare directory: search and bind";

  private static final int USERS = 4;

  private final int port;
  private final List<Integer> people;
  private LDAPConnection searching = new LDAPConnection();
  private LDAPConnection binding = new LDAPConnection();
  private int made;

  private BareDirectory(int port, List<Integer> people) {
    this.port = port;
    this.people = people;
  }

  public static Load load(ServerProcess slapd) throws IOException {
    Server server = new Server(slapd.name(), List.of(slapd));
    return ClosedLoad.open(server, ROW, USERS, number -> new BareDirectory(slapd.port(), People.ofUser(number)));
  }

  @Override
  public void reconnect() throws IOException {
    close();
    try {
      searching = new LDAPConnection("127.0.0.1", port);
      binding = new LDAPConnection("127.0.0.1", port);
    } catch (LDAPException e) {
      throw new IOException(e);
    }
  }

  @Override
  public int once() throws IOException {
    int person = people.get(made++ % people.size());
    String filter = "(uid=" + People.name(person) + ")";
    try {
      String dn =
          searching
              .search("ou=people," + People.SUFFIX, SearchScope.SUB, filter, "uid", "cn", "mail")
              .getSearchEntries()
              .getFirst()
              .getDN();
      binding.bind(dn, People.password(person));
      return 1;
    } catch (LDAPException e) {
      throw new IOException("the directory refused: " + e, e);
    }
  }

  @Override
  public void close() {
    searching.close();
    binding.close();
  }
}
