package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** The form of places in the file. */
final class PlaceType extends BasicDataType<Place> {

  private static final int MEMORY = 40;

  @Override
  public int getMemory(Place place) {
    return MEMORY;
  }

  @Override
  public void write(WriteBuffer buffer, Place place) {
    buffer.putVarLong(place.file()).putVarLong(place.offset()).putVarInt(place.length());
  }

  @Override
  public Place read(ByteBuffer buffer) {
    return new Place(DataUtils.readVarLong(buffer), DataUtils.readVarLong(buffer), DataUtils.readVarInt(buffer));
  }

  @Override
  public Place[] createStorage(int size) {
    return new Place[size];
  }
}
