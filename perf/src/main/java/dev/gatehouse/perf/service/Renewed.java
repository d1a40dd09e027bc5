package dev.gatehouse.perf.service;

import dev.gatehouse.perf.harness.ClosedLoad;
import java.io.IOException;

/** Somebody who begins anew in each iteration, with new connections, logins and tokens, because those of the last one may have ended. */
final class Renewed implements ClosedLoad.User {

  private final ClosedLoad.UserFactory factory;
  private final int number;
  private ClosedLoad.User user;

  private Renewed(ClosedLoad.UserFactory factory, int number) throws IOException {
    this.factory = factory;
    this.number = number;
    this.user = factory.create(number);
  }

  static ClosedLoad.UserFactory each(ClosedLoad.UserFactory factory) {
    return number -> new Renewed(factory, number);
  }

  @Override
  public void reconnect() throws IOException {
    user.close();
    user = factory.create(number);
  }

  @Override
  public int once() throws IOException {
    return user.once();
  }

  @Override
  public void close() throws IOException {
    user.close();
  }
}
