package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import dev.gatehouse.common.directory.Connections.Taken;
import dev.gatehouse.common.directory.Connections.Use;
import org.junit.jupiter.api.Test;

/** Which of the idle connections is used; whether the right person is bound to it is DirectoryContract's. */
class ConnectionsTest {

  private final LDAPConnection connection = new LDAPConnection();

  @Test
  void opensConnectionsForEachUseBelowTheCap() {
    Connections connections = new Connections(2, true, 1_000);
    assertThat(connections.take(Use.SEARCH)).isEmpty();
    connections.putBack(Use.SEARCH, connection);
    assertThat(connections.take(Use.BIND)).isEmpty();
    assertThat(connections.take(Use.SEARCH)).contains(new Taken(connection, Use.SEARCH));
    assertThat(connections.open()).isEqualTo(2);
  }

  @Test
  void atTheCapAConnectionChangesItsUse() {
    Connections connections = new Connections(1, true, 1_000);
    assertThat(connections.take(Use.SEARCH)).isEmpty();
    connections.putBack(Use.SEARCH, connection);
    assertThat(connections.take(Use.BIND)).contains(new Taken(connection, Use.SEARCH));
    connections.putBack(Use.BIND, connection);
    assertThat(connections.take(Use.SEARCH)).contains(new Taken(connection, Use.BIND));
    assertThat(connections.open()).isEqualTo(1);
  }

  @Test
  void anonymousSearchesNeverUseAConnectionThatWasBound() {
    Connections connections = new Connections(1, false, 1_000);
    assertThat(connections.take(Use.BIND)).isEmpty();
    connections.putBack(Use.BIND, connection);
    assertThat(connections.take(Use.SEARCH)).isEmpty();
    assertThat(connections.open()).isEqualTo(1);
    connections.putBack(Use.SEARCH, connection);
    assertThat(connections.take(Use.BIND)).contains(new Taken(connection, Use.SEARCH));
  }
}
