package dev.gatehouse.common.analytics.collect;

import java.net.InetAddress;
import java.util.Optional;

/** Knows where addresses are. */
public interface Places {

  /**
   * A place.
   *
   * @param name for people, as {@code Berlin, DE}
   * @param latitude in degrees, north is positive
   * @param longitude in degrees, east is positive
   * @param radius within which the address is, in kilometres
   */
  record Place(String name, double latitude, double longitude, double radius) {

    private static final double EARTH_RADIUS = 6371;

    /** Returns the least distance in kilometres that a person at one place has to the other. */
    double distance(Place other) {
      double north = Math.toRadians(other.latitude - latitude) / 2;
      double east = Math.toRadians(other.longitude - longitude) / 2;
      double half =
          Math.pow(Math.sin(north), 2)
              + Math.cos(Math.toRadians(latitude)) * Math.cos(Math.toRadians(other.latitude)) * Math.pow(Math.sin(east), 2);
      double between = 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
      return Math.max(0, between - radius - other.radius);
    }
  }

  /** Returns the place of an address; empty if it is not known. */
  Optional<Place> find(InetAddress address);

  /** Returns whether any place is known. */
  default boolean areKnown() {
    return true;
  }

  /** Knows no place. */
  static Places none() {
    return new Places() {
      @Override
      public Optional<Place> find(InetAddress address) {
        return Optional.empty();
      }

      @Override
      public boolean areKnown() {
        return false;
      }
    };
  }
}
