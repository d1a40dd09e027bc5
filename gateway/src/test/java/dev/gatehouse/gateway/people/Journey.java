package dev.gatehouse.gateway.people;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives journeys the {@link World}, one for all classes of a JVM: Surefire runs each class as an execution of its own in one session. */
final class Journey implements ParameterResolver {

  /** One try for all: what did not start would not start for the next test either, and would take as long again. */
  private record Begun(Optional<World> begun, Optional<RuntimeException> failure) implements AutoCloseable {

    static Begun now() {
      try {
        return new Begun(Optional.of(new World()), Optional.empty());
      } catch (RuntimeException e) {
        return new Begun(Optional.empty(), Optional.of(e));
      }
    }

    World world() {
      failure.ifPresent(
          e -> {
            throw e;
          });
      return begun.orElseThrow();
    }

    @Override
    public void close() {
      begun.ifPresent(World::close);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == World.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(Journey.class))
        .computeIfAbsent(Begun.class, _ -> Begun.now(), Begun.class)
        .world();
  }
}
